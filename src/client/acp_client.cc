#include "client/acp_client.h"

#include <fmt/format.h>

#include <random>

#include "base/id_key.h"
#include "base/json_members.h"
#include "base/json_scan.h"
#include "base/percent.h"
#include "client/api_call.h"
#include "io/url_parts.h"

namespace sa {
namespace {

namespace json = boost::json;

constexpr int method_not_found = -32601;
constexpr int auth_required = -32000;
constexpr std::int64_t ids_apart = 1'000;  // exact in every number format
constexpr Millis near_leaving_time{200};
constexpr Millis far_leaving_time{2'000};

}  // namespace

Failure error_failure(const json::value& error) {
  constexpr std::string_view no_words = "the agent answered with an error";
  if (error.is_string()) return {.what = std::string(no_words), .why = std::string(error.get_string())};
  if (!error.is_object()) return {.what = std::string(no_words), .why = json::serialize(error)};
  const json::object& object = error.get_object();
  const auto code = integer_member(object, "code");
  const std::string_view message = string_member(object, "message");
  const json::value* data = object.if_contains("data");
  std::string details = data && data->is_object() ? std::string(string_member(data->get_object(), "details")) : "";
  if (details.empty() && data && data->is_string()) details = data->get_string();
  std::string why = code ? fmt::format("the agent's error {}", *code) : "";
  if (!details.empty()) why += fmt::format("{}{}", why.empty() ? "" : ": ", details);
  return {.exit = code == auth_required ? Exit::authentication : Exit::failure,
          .what = std::string(message.empty() ? no_words : message),
          .why = std::move(why),
          .more = data ? json::serialize(*data) : ""};
}

Failure exit_failure(const json::object& params) {
  const auto code = integer_member(params, "code");
  const std::string_view signal = string_member(params, "signal");
  const std::string_view reason = string_member(params, "reason");  // of the daemon, when it ended the agent
  return {.exit = Exit::crashed,
          .what = !reason.empty()   ? std::string(reason)
                  : !signal.empty() ? fmt::format("the agent was ended by {}", signal)
                  : code            ? fmt::format("the agent exited with code {}", *code)
                                    : "the agent exited"};
}

AcpClient::AcpClient(Loop& loop, WorkerPool& pool, ServerAddress server, std::string server_id, std::string agent,
                     AcpListener listener)
    : loop_(loop),
      pool_(pool),
      server_(std::move(server)),
      server_id_(std::move(server_id)),
      agent_(std::move(agent)),
      listener_(std::move(listener)),
      last_id_(std::int64_t{std::random_device()()} * ids_apart),
      exit_timer_(loop) {}

std::string AcpClient::target() const { return "/v1/acp/" + percent_encoded(server_id_); }

Task<Outcome<void>> AcpClient::post(std::string body, bool creates) {
  ApiRequest request{.method = "POST",
                     .target = target() + (creates ? "?agent=" + percent_encoded(agent_) : ""),
                     .headers = {json_content(), {"Prefer", "respond-async"}},
                     .body = std::move(body)};
  if (creates) request.idle_timeout = Millis(0);  // it may have to be installed first
  auto answer = co_await pool_.run([server = server_, &request] { return call_api(server, request); });
  if (!answer) co_return failed(std::move(answer).error());
  if (!feed_) {
    FeedWishes wishes{.server_id = server_id_, .instance_id = answer->header("Acp-Instance-Id"), .include_client = true};
    feed_ = std::make_unique<EventFeed>(loop_, server_, std::move(wishes), [this](FeedItem item) { take(std::move(item)); });
  }
  co_return Outcome<void>();
}

Task<Outcome<json::object>> AcpClient::request(std::string method, json::object params) {
  if (end_) co_return failed(*end_);
  const std::string id = id_key(std::to_string(++last_id_));
  const auto pending = std::make_shared<Pending>(loop_);
  pending_[id] = pending;
  auto posted = co_await post(request_text(last_id_, method, params), !feed_);
  if (!posted) {
    pending_.erase(id);
    co_return failed(std::move(posted).error());
  }
  pending->posted = true;
  while (!pending->outcome) co_await pending->signal.wait();
  co_return std::move(*pending->outcome);
}

Task<Outcome<void>> AcpClient::notify(std::string method, json::object params) {
  return post(notification_text(method, params), false);
}

Task<Outcome<void>> AcpClient::answer(std::string id, json::object result) { return post(result_text(id, result), false); }

Task<Outcome<void>> AcpClient::refuse(std::string id, int code, std::string message) {
  return post(error_text(id, code, message), false);
}

Task<> AcpClient::refuse_quietly(std::string id, std::string method) {
  const auto refused = co_await refuse(std::move(id), method_not_found, "This client does not serve " + method + ".");
  if (!refused && listener_.on_trouble) listener_.on_trouble(refused.error().what);
}

Task<Outcome<void>> AcpClient::close() {
  const ApiRequest request{.method = "DELETE", .target = target()};
  auto answer = co_await pool_.run([server = server_, &request] { return call_api(server, request); });
  if (!answer) co_return failed(std::move(answer).error());
  co_return Outcome<void>();
}

bool AcpClient::leave() {
  const auto url = parse_url(server_.url);
  const bool near = url && is_loopback(url->host);
  const ApiRequest request{.method = "DELETE", .target = target(), .idle_timeout = near ? near_leaving_time : far_leaving_time};
  return call_api(server_, request).has_value();
}

void AcpClient::take(FeedItem item) {
  using Kind = FeedItem::Kind;
  const auto trouble = [this](const std::string& sentence) {
    if (listener_.on_trouble) listener_.on_trouble(sentence);
  };
  switch (item.kind) {
    case Kind::message:
      seen_ = item.number;
      take_message(item.data);
      return settle_lost_answers();
    case Kind::client: return take_client(item.data);
    case Kind::gap: return take_loss(read_loss(item.data));
    case Kind::cut: return trouble("the connection to the daemon broke; trying again");
    case Kind::ended:
      exited_.reset();  // it did not exit by itself
      return finish({.exit = Exit::crashed,
                     .what = "the agent was ended by somebody else",
                     .why = "'sandbox-agent stop', the inspector or the daemon's end do that",
                     .what_to_do = "the same command again"});
    case Kind::failed: return finish(std::move(item.failure));
  }
}

void AcpClient::take_message(std::string_view bytes) {
  auto message = read_message(bytes);
  if (!message) return take_unreadable(bytes);
  switch (message->kind) {
    case AgentMessage::Kind::result:
    case AgentMessage::Kind::error: return take_answer(*message);
    case AgentMessage::Kind::request: return take_request(std::move(*message));
    case AgentMessage::Kind::notification: break;
  }
  if (message->method == "_adapter/agent_exited") return take_exit(message->params);
  if (listener_.on_notification) listener_.on_notification(message->method, message->params);
}

// Whoever waits for it must not wait for ever.
void AcpClient::take_unreadable(std::string_view bytes) {
  const std::string_view id = scan_json(bytes).members.id;
  const auto found = id.empty() ? pending_.end() : pending_.find(id_key(id));
  if (found == pending_.end()) {
    if (listener_.on_trouble) listener_.on_trouble("a message of the agent cannot be read");
    return;
  }
  const auto pending = found->second;
  pending_.erase(found);
  pending->outcome =
      failed({.exit = Exit::crashed, .what = "the agent's answer cannot be read", .why = "it is nested too deeply"});
  pending->signal.notify();
}

void AcpClient::take_loss(const Loss& loss) {
  if (const std::string words = loss.agent_words(); !words.empty()) {
    spawn(look_for_lost_answers());
    if (listener_.on_lost) listener_.on_lost(words);
  }
  if (const std::string words = loss.client_words(); !words.empty() && listener_.on_trouble) listener_.on_trouble(words);
}

// An answer may be among the messages that were lost: when the agent has answered everything, and we have seen all there is.
Task<> AcpClient::look_for_lost_answers() {
  const ApiRequest request{.target = "/v1/acp"};
  const auto answer = co_await pool_.run([server = server_, &request] { return call_api(server, request); });
  const auto list = answer ? read_json(answer->body) : std::nullopt;
  if (!list || !list->is_object()) co_return;
  for (const json::value& each : array_member(list->get_object(), "servers")) {
    if (!each.is_object() || string_member(each.get_object(), "serverId") != server_id_) continue;
    if (integer_member(each.get_object(), "pendingRequests") != 0) co_return;
    complete_at_ = static_cast<std::uint64_t>(integer_member(each.get_object(), "lastEventId").value_or(0));
    settle_lost_answers();
  }
}

void AcpClient::settle_lost_answers() {
  if (!complete_at_ || seen_ < *complete_at_) return;
  complete_at_.reset();
  std::erase_if(pending_, [](const auto& entry) {
    const auto& pending = entry.second;
    if (!pending->posted) return false;
    pending->outcome = failed({.what = "the agent's answer was lost",
                               .why = "the connection was gone for longer than the daemon keeps messages",
                               .what_to_do = "a daemon with a larger --ring-messages, then the same again"});
    pending->signal.notify();
    return true;
  });
}

// Another client may have answered what we are still asking.
void AcpClient::take_client(std::string_view bytes) {
  const auto message = read_message(bytes);
  if (message && message->is_answer() && listener_.on_answered) listener_.on_answered(message->id);
}

void AcpClient::take_answer(const AgentMessage& message) {
  const auto found = pending_.find(id_key(message.id));
  if (found == pending_.end()) return;
  const auto pending = found->second;
  pending_.erase(found);
  if (message.kind == AgentMessage::Kind::error) {
    pending->outcome = failed(error_failure(message.outcome));
  } else {
    pending->outcome = message.outcome.is_object() ? message.outcome.get_object() : json::object();
  }
  pending->signal.notify();
}

void AcpClient::take_request(AgentMessage message) {
  const std::string id = message.id;
  const std::string method = message.method;
  AgentRequest request{std::move(message.id), std::move(message.method), std::move(message.params)};
  if (!listener_.on_request || !listener_.on_request(std::move(request))) spawn(refuse_quietly(id, method));
}

// When the stream ends right behind it, somebody ended the instance.
void AcpClient::take_exit(const json::object& params) {
  constexpr Millis until_end{150};
  exited_ = exit_failure(params);
  exit_timer_.arm_in(until_end, [this] {
    if (exited_) finish(std::move(*exited_));
  });
}

void AcpClient::finish(Failure failure) {
  if (end_) return;
  end_ = std::move(failure);
  for (const auto& [id, pending] : std::exchange(pending_, {})) {
    pending->outcome = failed(*end_);
    pending->signal.notify();
  }
}

}  // namespace sa
