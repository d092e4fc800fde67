#include "cli/conversation.h"
#include "base/percent.h"
#include "cli/plain_text.h"

#include <fmt/format.h>

#include "base/json_members.h"
#include "base/telling_line.h"
#include "base/version.h"
#include "cli/sure_sending.h"
#include "client/api_call.h"
#include "io/time_limit.h"

namespace sa {
namespace {

namespace json = boost::json;

constexpr int protocol_version = 1;
constexpr std::size_t stderr_lines = 3;

json::object initialize_params() {
  return {{"protocolVersion", protocol_version},
          {"clientCapabilities", {{"fs", {{"readTextFile", false}, {"writeTextFile", false}}}, {"terminal", false}}},
          {"clientInfo", {{"name", "sandbox-agent"}, {"title", "sandbox-agent run"}, {"version", version}}}};
}

// A method that takes a key from the environment, and the variable. `key`: the variable the agent is known to have.
std::pair<std::string, std::string> key_method(const json::array& methods, const std::string& key) {
  for (const json::value& method : methods) {
    if (!method.is_object() || string_member(method.get_object(), "type") != "env_var") continue;
    for (const json::value& variable : array_member(method.get_object(), "vars")) {
      const std::string_view name = variable.is_object() ? string_member(variable.get_object(), "name") : std::string_view();
      if (!name.empty() && name == key) return {std::string(string_member(method.get_object(), "id")), std::string(name)};
    }
  }
  return {};
}

std::string names_of(const json::array& methods) {
  std::string names;
  for (const json::value& method : methods) {
    if (!method.is_object()) continue;
    std::string_view name = string_member(method.get_object(), "name");
    if (name.empty()) name = string_member(method.get_object(), "id");
    names += fmt::format("{}{}", names.empty() ? "" : ", ", one_line(name, 60));
  }
  return names;
}

Exit exit_of(std::string_view stop_reason) {
  if (stop_reason == "refusal" || stop_reason == "max_tokens" || stop_reason == "max_turn_requests") return Exit::refused;
  return stop_reason == "cancelled" ? Exit::interrupted : Exit::success;
}

// The last lines of a text, on one line.
std::string last_lines(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  std::size_t from = text.size();
  for (std::size_t line = 0; line < stderr_lines && from != 0 && from != std::string_view::npos; ++line)
    from = from == 0 ? 0 : text.rfind('\n', from - 1);
  constexpr std::size_t most = 300;
  return one_line(from == std::string_view::npos ? text : text.substr(from), most);
}

}  // namespace

Conversation::Conversation(Loop& loop, WorkerPool& pool, Console& console, ConversationWishes wishes)
    : loop_(loop),
      pool_(pool),
      console_(console),
      wishes_(std::move(wishes)),
      view_(console),
      client_(loop, pool, wishes_.server, wishes_.server_id, wishes_.agent,
              {.on_notification = [this](const std::string& method,
                                         const json::object& params) { take_notification(method, params); },
               .on_request = [this](AgentRequest request) { return take_request(std::move(request)); },
               .on_answered = [this](const std::string& id) { desk_.close(id, "answered elsewhere"); },
               .on_trouble = [this](const std::string& sentence) { view_.note(sentence); },
               .on_lost = [this](const std::string& sentence) { take_loss(sentence); }}),
      desk_(loop, pool, console, view_, wishes_.permissions,
            [this](const std::string& id, const PermissionOption* option) { spawn(send_answer(id, outcome_of(option))); }),
      sent_(loop),
      answered_(loop) {
  desk_.on_nobody = [this] { cancel(); };
}

Task<Outcome<void>> Conversation::begin(std::string session_id) {
  auto hello = co_await ask("initialize", initialize_params());
  if (!hello) {
    Failure failure = co_await explain_death(std::move(hello).error());
    co_return failed(std::move(failure));
  }
  auth_methods_ = array_member(*hello, "authMethods");
  const json::object capabilities = object_member(*hello, "agentCapabilities");
  auto opened = co_await open_session(session_id, capabilities);
  if (!opened && opened.error().exit == Exit::authentication) {
    auto logged_in = co_await log_in(opened.error());
    if (!logged_in) co_return failed(std::move(logged_in).error());
    opened = co_await open_session(std::move(session_id), capabilities);
  }
  if (!opened) {
    Failure failure = co_await explain_death(std::move(opened).error());
    co_return failed(std::move(failure));
  }
  view_.tell({.type = TurnEventType::start,
              .agent = wishes_.agent,
              .server_id = wishes_.server_id,
              .session_id = session_id_,
              .cwd = wishes_.cwd});
  co_return Outcome<void>();
}

Task<Outcome<json::object>> Conversation::ask(std::string method, json::object params) {
  asked_ = method;
  auto answer = co_await client_.request(std::move(method), std::move(params));
  asked_.clear();
  co_return answer;
}

void Conversation::tell_waiting(Millis so_far) { spawn(say_waiting(so_far)); }

Task<> Conversation::say_waiting(Millis so_far) {
  ++sending_;
  const std::string asked = asked_;
  const std::string tail = co_await stderr_text();
  if (asked == asked_ && !client_.is_over()) {
    view_.note(
        fmt::format("still waiting for {} to answer {} after {} s; Ctrl-C ends it, sandbox-agent logs {} shows its stderr",
                    wishes_.agent, asked, so_far / Millis(1'000), wishes_.server_id));
    if (!tail.empty()) view_.note("its stderr ended with: " + last_lines(tail));
  }
  --sending_;
  sent_.notify();
}

Task<Outcome<void>> Conversation::open_session(std::string session_id, json::object capabilities) {
  json::object params{{"cwd", wishes_.cwd}, {"mcpServers", json::array()}};
  if (session_id.empty()) {
    auto created = co_await ask("session/new", std::move(params));
    if (!created) co_return failed(std::move(created).error());
    session_id_ = string_member(*created, "sessionId");
    if (session_id_.empty())
      co_return failed({.exit = Exit::crashed, .what = "the agent's answer to session/new names no session"});
    co_return Outcome<void>();
  }
  const bool loads = true_member(capabilities, "loadSession");
  const bool resumes = object_member(capabilities, "sessionCapabilities").contains("resume");
  if (!loads && !resumes)
    co_return failed({.what = fmt::format("{} cannot go on with an earlier conversation", wishes_.agent),
                      .why = "it offers neither session/load nor session/resume",
                      .what_to_do = "the same without --continue"});
  params["sessionId"] = session_id;
  replaying_ = true;
  bool tells_past = !resumes;
  auto loaded = co_await ask(resumes ? "session/resume" : "session/load", params);
  if (!loaded && resumes && loads && loaded.error().exit == Exit::failure) {
    tells_past = true;
    loaded = co_await ask("session/load", std::move(params));
  }
  if (loaded && tells_past) co_await past_told();
  replaying_ = false;
  if (!loaded) {
    Failure failure = std::move(loaded).error();
    if (failure.exit != Exit::failure) co_return failed(std::move(failure));
    co_return failed(
        {.what = fmt::format("the {} cannot go on with the earlier conversation", wishes_.is_demo ? "demo agent" : "agent"),
         .why = wishes_.is_demo ? "it forgets everything when its process ends, as it does with each run" : failure.what,
         .what_to_do = fmt::format("the same without --continue{}", wishes_.is_demo ? " — or another --agent" : ""),
         .more = failure.why});
  }
  session_id_ = std::move(session_id);
  co_return Outcome<void>();
}

// Some agents tell the past behind the answer, too: until they have been silent for a moment.
Task<> Conversation::past_told() {
  constexpr int most_checks = 50;
  std::size_t told = told_ + 1;
  for (int check = 0; told != told_ && check < most_checks && !client_.is_over(); ++check) {
    told = told_;
    co_await pause(pool_, Millis(100));
  }
}

// With a key the agent has in its environment, when it offers that. Nobody is asked for anything.
Task<Outcome<void>> Conversation::log_in(Failure refused) {
  const auto [method, variable] = key_method(auth_methods_, wishes_.key);
  if (method.empty()) co_return failed(explain_login(std::move(refused)));
  view_.note(fmt::format("signing in with {}", variable));
  auto done = co_await ask("authenticate", {{"methodId", method}});
  if (done) co_return Outcome<void>();
  Failure failure = explain_login(std::move(done).error());
  failure.what = fmt::format("{} did not take {}", wishes_.agent, variable);
  co_return failed(std::move(failure));
}

Task<Outcome<Exit>> Conversation::prompt(std::string text) {
  cancelled_ = has_gap_ = false;
  desk_.begin_turn();
  view_.begin();
  json::object params{{"sessionId", session_id_}, {"prompt", json::array({json::object{{"type", "text"}, {"text", text}}})}};
  auto ended = co_await client_.request("session/prompt", std::move(params));
  if (!client_.is_over()) {
    desk_.cancel_all();  // an agent may end the turn with a question open
    co_await answers_sent(sent_);
  }
  co_await desk_.finish();
  console_.end_line();
  if (!ended) {
    view_.settle();
    Failure failure = co_await explain_death(std::move(ended).error());
    co_return failed(std::move(failure));
  }
  view_.end(*ended);
  if (desk_.nobody_to_ask())
    co_return failed({.exit = Exit::permission,
                      .what = "the agent needs a permission, and there is nobody to ask",
                      .why = "this is not a terminal, or --no-input or --json was given",
                      .what_to_do = "--yes to allow what it asks for, --deny to refuse it"});
  const Exit exit = exit_of(string_member(*ended, "stopReason"));
  if (exit == Exit::success && has_gap_)
    co_return failed(
        {.what = "the answer is not whole: messages of the agent were lost",
         .why = "what reads them was slower than the agent, or away, for longer than the daemon keeps messages",
         .what_to_do = "an output that is read faster, such as a file — or a daemon with a larger --ring-messages"});
  if (exit == Exit::success && desk_.denied()) co_return Exit::permission;
  co_return exit;
}

void Conversation::cancel() {
  const bool is_first = !std::exchange(cancelled_, true);
  if (session_id_.empty()) return;
  desk_.cancel_all();
  spawn(send_cancel(is_first));
}

// An answer that does not get through must not keep the turn going. `sent`: what nobody else waits for.
Task<> Conversation::answers_sent(Signal& sent) {
  constexpr Millis patience{500};
  const TimeLimit limit(loop_, patience, sent);
  while (answering_ > 0 && !limit.over()) co_await sent.wait();
}

// What the agent asked is answered first, as the protocol wants it: an agent may end the turn as soon as it hears of the
// cancel. A second cancel does not wait beside the first.
Task<> Conversation::send_cancel(bool after_answers) {
  ++sending_;
  if (after_answers && !std::exchange(awaiting_answers_, true)) {
    co_await answers_sent(answered_);
    awaiting_answers_ = false;
  }
  const auto sent = co_await client_.notify("session/cancel", {{"sessionId", session_id_}});
  if (!sent) console_.detail(sent.error().what);
  --sending_;
  sent_.notify();
}

Task<> Conversation::send_answer(std::string id, json::object result) {
  ++sending_;
  ++answering_;
  std::function<Task<Outcome<void>>()> send = [this, &id, &result] { return client_.answer(id, result); };
  const std::function<bool()> is_over = [this] { return ending_ || client_.is_over(); };
  const auto sent = co_await send_surely(pool_, std::move(send), is_over);
  if (!sent && !is_over()) view_.note(fmt::format("the answer did not reach the agent: {}", sent.error().what));
  --answering_;
  answered_.notify();
  --sending_;
  sent_.notify();
}

Task<> Conversation::end() {
  ending_ = true;
  co_await desk_.finish();
  const auto closed = co_await client_.close();
  if (!closed) console_.detail(closed.error().what);
  while (sending_ > 0) co_await sent_.wait();
}

void Conversation::take_notification(const std::string& method, const json::object& params) {
  if (replaying_) ++told_;
  if (method == "session/update" && on_update) on_update(object_member(params, "update"));
  if (method == "session/update" && !replaying_) {
    view_.show(object_member(params, "update"));
    if (console_.reader_left() && on_reader_left) on_reader_left();
  }
  if (method == "$/cancel_request" && params.contains("requestId")) desk_.withdraw(json::serialize(params.at("requestId")));
  if (method == "_adapter/invalid_stdout") take_babble(one_line(string_member(params, "raw"), 200));
}

void Conversation::take_loss(const std::string& sentence) {
  has_gap_ = true;
  view_.lost(sentence);
}

// The first is said: an agent that talks to people on its stdout is often one that will not answer. Others with --verbose.
void Conversation::take_babble(const std::string& line) {
  if (std::exchange(babbled_, true)) return console_.detail(fmt::format("· not a message: {}", line));
  console_.warn(fmt::format("the agent wrote something that is not a message: {}", line));
}

bool Conversation::take_request(AgentRequest request) {
  if (request.method != "session/request_permission") return false;
  if (cancelled_) {
    spawn(send_answer(request.id, outcome_of(nullptr)));
  } else {
    desk_.open(read_question(request, view_));
  }
  return true;
}

// Adds what an agent that died, or wants a login, left for people.
Task<Failure> Conversation::explain_death(Failure failure) {
  if (failure.exit == Exit::authentication) co_return explain_login(std::move(failure));
  if (failure.exit != Exit::crashed && failure.exit != Exit::failure) co_return failure;
  if (failure.what_to_do.empty()) {
    if (failure.exit == Exit::failure) failure.what = fmt::format("{} failed: {}", wishes_.agent, failure.what);
    failure.what_to_do = "sandbox-agent doctor — or --verbose for all it wrote";
  }
  if (failure.exit != Exit::crashed) co_return failure;
  if (const std::string tail = co_await stderr_text(); !tail.empty()) {
    failure.why = "its stderr ended with: " + cause_line(tail);
    failure.more = tail;
  }
  co_return failure;
}

// What of it is kept; empty when it wrote nothing or cannot be asked for.
Task<std::string> Conversation::stderr_text() {
  const ApiRequest request{.target = "/v1/acp/" + percent_encoded(wishes_.server_id) + "/stderr"};
  const auto tail = co_await pool_.run([server = wishes_.server, &request] { return call_api(server, request); });
  co_return tail ? tail->body : "";
}

Failure Conversation::explain_login(Failure failure) const {
  const std::string names = names_of(auth_methods_);
  return {.exit = Exit::authentication,
          .what = fmt::format("{} asks for authentication: {}", wishes_.agent, failure.what),
          .why = names.empty() ? failure.why : "it offers: " + names,
          .what_to_do = "sandbox-agent credentials status — set the agent's key, then sandbox-agent daemon stop and again",
          .more = failure.more};
}

}  // namespace sa
