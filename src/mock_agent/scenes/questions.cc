#include <algorithm>
#include <span>
#include <string>

#include "mock_agent/scenes/cast.h"
#include "mock_agent/tool_call.h"
#include "mock_agent/turn.h"

namespace sa::mock::scene {
namespace {

struct Option {
  std::string_view id;
  std::string_view kind;
  std::string_view name;
};

constexpr Option permission_options[] = {
    {"allow-once", "allow_once", "Allow once"},
    {"allow-always", "allow_always", "Always allow"},
    {"reject-once", "reject_once", "Reject"},
};

constexpr std::string_view question = "Which colour shall the door have?";

constexpr Option colours[] = {
    {"red", "allow_once", "Red"},
    {"green", "allow_once", "Green"},
    {"blue", "allow_once", "Blue"},
    {"none", "reject_once", "None of these"},
};

json::object permission_request(const ToolCall& call, std::span<const Option> options) {
  json::array list;
  for (const auto& [id, kind, name] : options) list.push_back({{"optionId", id}, {"name", name}, {"kind", kind}});
  return {{"toolCall", call.announced()}, {"options", std::move(list)}};
}

bool is_cancelled(const Response& answer) {
  return string_member(object_member(answer.result, "outcome"), "outcome") == "cancelled";
}

// Null when the client named none of them.
const Option* chosen_option(const Response& answer, std::span<const Option> options) {
  const json::object& outcome = object_member(answer.result, "outcome");
  const auto option = std::ranges::find(options, string_member(outcome, "optionId"), &Option::id);
  return option == options.end() ? nullptr : &*option;
}

json::object colour_form() {
  json::array choices;
  for (const Option& colour : colours) choices.push_back({{"const", colour.id}, {"title", colour.name}});
  const json::object colour = {{"type", "string"}, {"title", "Colour"}, {"oneOf", std::move(choices)}};
  const json::object note = {{"type", "string"}, {"title", "Note for the painter"}, {"maxLength", 200}};
  json::array required;
  required.emplace_back("colour");
  return {{"mode", "form"},
          {"message", question},
          {"requestedSchema",
           {{"type", "object"}, {"properties", {{"colour", colour}, {"note", note}}}, {"required", std::move(required)}}}};
}

std::string reply_to_form(const Response& answer) {
  if (!answer.error.empty()) return "Your client could not ask: " + answer.error + ".";
  const std::string_view action = string_member(answer.result, "action");
  if (action == "decline") return "You declined to answer.";
  if (action != "accept") return "You closed the question.";
  const json::object& content = object_member(answer.result, "content");
  const std::string_view note = string_member(content, "note");
  std::string text = "Your answer: " + std::string(string_member(content, "colour")) + ".";
  if (!note.empty()) text.append(" Your note: ").append(note);
  return text;
}

}  // namespace

Play permission(Turn& turn, Prompt) {
  if (turn.is_mode("plan")) {
    turn.say("In plan mode I run nothing. I would have run: make clean.");
    co_return StopReason::end_turn;
  }
  ToolCall call(turn, {{"title", "make clean"}, {"kind", "execute"}, {"rawInput", {{"command", "make clean"}}}});
  if (turn.is_mode("auto")) {
    call.complete();
    turn.say("In auto mode I do not ask. A real agent would have run the command now.");
    co_return StopReason::end_turn;
  }
  if (turn.session().always_allowed) {
    call.complete();
    turn.say("You chose before: Always allow. So I do not ask in this session. A real agent would have run the command now.");
    co_return StopReason::end_turn;
  }
  const Response answer = co_await turn.ask("session/request_permission", permission_request(call, permission_options));
  if (is_cancelled(answer)) co_return StopReason::cancelled;

  const Option* chosen = chosen_option(answer, permission_options);
  const bool allowed = chosen && chosen->kind.starts_with("allow");
  turn.session().always_allowed = chosen && chosen->kind == "allow_always";
  if (allowed) {
    call.complete();
  } else {
    call.fail();
  }
  turn.say(chosen ? "You chose: " + std::string(chosen->name) + "." : "No option was chosen, which counts as: Reject.");
  turn.say(allowed ? " A real agent would have run the command now." : " The command was not run.");
  co_return StopReason::end_turn;
}

// With a form if the client shows forms, else with the one question every client can show.
Play ask(Turn& turn, Prompt) {
  if (turn.client().forms) {
    const Response answer = co_await turn.ask("elicitation/create", colour_form());
    turn.say(reply_to_form(answer));
    co_return StopReason::end_turn;
  }
  ToolCall call(turn, {{"title", question}, {"kind", "other"}});
  const Response answer = co_await turn.ask("session/request_permission", permission_request(call, colours));
  if (is_cancelled(answer)) co_return StopReason::cancelled;
  const Option* chosen = chosen_option(answer, colours);
  call.complete();
  turn.say(chosen ? "Your answer: " + std::string(chosen->name) + "." : "You gave no answer.");
  co_return StopReason::end_turn;
}

}  // namespace sa::mock::scene
