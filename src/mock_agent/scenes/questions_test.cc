#include <doctest/doctest.h>

#include "mock_agent/scripted_client.h"

namespace sa::mock {
namespace {

json::object selected(std::string_view option) { return {{"outcome", {{"outcome", "selected"}, {"optionId", option}}}}; }
json::object cancelled() { return {{"outcome", {{"outcome", "cancelled"}}}}; }

// Starts /permission, lets `reply` answer the question and returns what followed it.
Heard ask_permission(ScriptedClient& client, auto reply) {
  client.open_sessions();
  client.prompt(1, "/permission");
  const json::object announced = client.next();
  const json::value& call = announced.at("params").at("update");
  CHECK(call.at("sessionUpdate") == "tool_call");
  CHECK(call.at("kind") == "execute");
  CHECK(call.at("status") == "pending");
  CHECK(call.at("title") == call.at("rawInput").at("command"));

  const json::object question = client.next();
  CHECK(question.at("method") == "session/request_permission");
  CHECK(question.at("params").at("toolCall").at("toolCallId") == call.at("toolCallId"));
  CHECK(question.at("params").at("options").as_array().size() == 3);
  reply(question.at("id").as_int64());
  return client.until_reply(1);
}

// Starts /ask and lets `reply` answer the question; `method` is how it must be asked.
Heard ask_question(ScriptedClient& client, std::string_view method, auto reply) {
  client.open_sessions();
  client.prompt(1, "/ask");
  const json::object question = client.next_request();
  CHECK(string_member(question, "method") == method);
  reply(question.at("id").as_int64(), question.at("params").as_object());
  return client.until_reply(1);
}

const json::object with_forms = {{"elicitation", {{"form", json::object()}}}};

}  // namespace

TEST_CASE("/permission reports the chosen option and completes or fails the tool call") {
  struct Case {
    const char* option;
    const char* status;
    const char* words;
  };
  for (const auto& [option, status, words] :
       {Case{"allow-once", "completed", "You chose: Allow once."},
        Case{"allow-always", "completed", "You chose: Always allow."}, Case{"reject-once", "failed", "You chose: Reject."},
        Case{"unheard-of", "failed", "counts as: Reject."}}) {
    CAPTURE(option);
    ScriptedClient client;
    const Heard heard = ask_permission(client, [&](std::int64_t id) { client.answer(id, selected(option)); });
    CHECK(heard.statuses() == std::vector<std::string>{status});
    CHECK(heard.text().contains(words));
    CHECK(heard.stop_reason() == "end_turn");
  }
}

TEST_CASE("after \"Always allow\" /permission asks no more in that session, but in another one") {
  ScriptedClient client;
  ask_permission(client, [&](std::int64_t id) { client.answer(id, selected("allow-always")); });
  for (int i = 0; i < 2; ++i) {
    const Heard heard = client.play("/permission");
    CHECK(heard.statuses() == std::vector<std::string>{"completed"});
    CHECK(heard.text().starts_with("You chose before: Always allow. So I do not ask in this session."));
  }
  client.call("session/set_mode", {{"sessionId", "demo-1"}, {"modeId", "plan"}});
  CHECK(client.play("/permission").text().starts_with("In plan mode I run nothing."));

  client.open_sessions();
  client.prompt(1, "/permission", "demo-2");
  CHECK(client.next_request().at("params").at("sessionId") == "demo-2");
}

TEST_CASE("\"Allow once\" is asked again") {
  ScriptedClient client;
  ask_permission(client, [&](std::int64_t id) { client.answer(id, selected("allow-once")); });
  client.prompt(1, "/permission");
  CHECK(client.next_request().at("method") == "session/request_permission");
}

TEST_CASE("an error as the answer to /permission counts as rejected") {
  ScriptedClient client;
  const Heard heard = ask_permission(client, [&](std::int64_t id) { client.answer_error(id, "no"); });
  CHECK(heard.statuses() == std::vector<std::string>{"failed"});
  CHECK(heard.stop_reason() == "end_turn");
}

TEST_CASE("a cancelled answer to /permission ends the turn as cancelled") {
  ScriptedClient client;
  const Heard heard = ask_permission(client, [&](std::int64_t id) { client.answer(id, cancelled()); });
  CHECK(heard.stop_reason() == "cancelled");
}

TEST_CASE("cancel withdraws an open question and ends the turn, and the late answer is ignored") {
  ScriptedClient client;
  std::int64_t question = 0;
  const Heard heard = ask_permission(client, [&](std::int64_t id) {
    question = id;
    client.cancel();
  });
  CHECK(heard.messages.at(0).at("method") == "$/cancel_request");
  CHECK(heard.messages.at(0).at("params") == json::value{{"requestId", question}});
  CHECK(heard.statuses() == std::vector<std::string>{"failed"});
  CHECK(heard.stop_reason() == "cancelled");
  client.answer(question, selected("allow-once"));
  CHECK(client.play("hello").stop_reason() == "end_turn");
}

TEST_CASE("cancelling the request withdraws an open question too") {
  ScriptedClient client;
  const Heard heard = ask_permission(client, [&](std::int64_t) { client.notify("$/cancel_request", {{"requestId", 1}}); });
  CHECK(heard.messages.at(0).at("method") == "$/cancel_request");
  CHECK(heard.error_code() == -32800);
}

TEST_CASE("in auto mode /permission does not ask") {
  ScriptedClient client;
  client.open_sessions();
  client.call("session/set_mode", {{"sessionId", "demo-1"}, {"modeId", "auto"}});
  const Heard heard = client.play("/permission");
  CHECK(heard.statuses() == std::vector<std::string>{"completed"});
  CHECK(heard.text().starts_with("In auto mode"));
}

TEST_CASE("/ask shows a form to a client that offered forms and repeats what was filled in") {
  ScriptedClient client;
  client.initialize(with_forms);
  const Heard heard = ask_question(client, "elicitation/create", [&](std::int64_t id, const json::object& form) {
    CHECK(form.at("mode") == "form");
    CHECK(form.at("requestedSchema").at("required") == json::array{"colour"});
    client.answer(id, {{"action", "accept"}, {"content", {{"colour", "green"}, {"note", "soon"}}}});
  });
  CHECK(heard.text() == "Your answer: green. Your note: soon");
  CHECK(heard.stop_reason() == "end_turn");
}

TEST_CASE("a form that is declined, closed or cannot be shown is no end of the world") {
  for (const auto& [action, words] :
       {std::pair{"decline", "You declined to answer."}, {"cancel", "You closed the question."}}) {
    CAPTURE(action);
    ScriptedClient client;
    client.initialize(with_forms);
    const Heard heard = ask_question(client, "elicitation/create",
                                     [&](std::int64_t id, const json::object&) { client.answer(id, {{"action", action}}); });
    CHECK(heard.text() == words);
    CHECK(heard.stop_reason() == "end_turn");
  }
  ScriptedClient client;
  client.initialize(with_forms);
  const Heard heard = ask_question(client, "elicitation/create",
                                   [&](std::int64_t id, const json::object&) { client.answer_error(id, "no screen"); });
  CHECK(heard.text() == "Your client could not ask: no screen.");
}

TEST_CASE("/ask asks any other client by session/request_permission") {
  ScriptedClient client;
  const auto blue = [&](std::int64_t id, const json::object& question) {
    CHECK(question.at("options").as_array().size() == 4);
    client.answer(id, selected("blue"));
  };
  CHECK(ask_question(client, "session/request_permission", blue).text() == "Your answer: Blue.");

  ScriptedClient silent;
  const auto nothing = [&](std::int64_t id, const json::object&) { silent.answer(id, {}); };
  CHECK(ask_question(silent, "session/request_permission", nothing).text() == "You gave no answer.");

  ScriptedClient leaving;
  const auto cancel = [&](std::int64_t id, const json::object&) { leaving.answer(id, cancelled()); };
  CHECK(ask_question(leaving, "session/request_permission", cancel).stop_reason() == "cancelled");
}

}  // namespace sa::mock
