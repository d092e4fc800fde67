#include "mock_agent/sessions.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

namespace sa::mock {
namespace {

constexpr std::size_t page_size = 50;
constexpr std::string_view id_prefix = "demo-";

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

RpcError busy(const Session& session) {
  return {RpcError::invalid_request, session.id + " is still busy with a prompt. Wait for its end or send session/cancel."};
}

std::expected<Session*, RpcError> Sessions::create(std::string cwd) {
  if (!make_room())
    return std::unexpected(RpcError{RpcError::internal_error, "All sessions are busy. Cancel or close one first."});
  const std::uint64_t number = ++last_number_;
  std::string id = std::string(id_prefix) + std::to_string(number);
  Session session{.id = std::move(id), .cwd = std::move(cwd), .history = History(max_history_), .settings = {}, .title = {}};
  session.number = number;
  session.last_used = ++uses_;
  return &sessions_.emplace(number, std::move(session)).first->second;
}

std::expected<Session*, RpcError> Sessions::fork(const Session& source, std::string cwd) {
  Session origin = source;  // copied first: the source itself may have to make room
  auto session = create(std::move(cwd));
  if (!session) return session;
  (*session)->history = std::move(origin.history);
  (*session)->settings = origin.settings;
  (*session)->title = std::move(origin.title);
  (*session)->has_bonus = origin.has_bonus;
  (*session)->tool_calls = origin.tool_calls;  // so that no id of the copied conversation is used again
  return session;
}

std::expected<Session*, RpcError> Sessions::find(std::string_view id) {
  const auto number = id.starts_with(id_prefix) ? parse_number(id.substr(id_prefix.size())) : std::nullopt;
  const auto found = number ? sessions_.find(*number) : sessions_.end();
  if (found == sessions_.end() || found->second.id != id) {
    return std::unexpected(RpcError{RpcError::not_found, "There is no session \"" + std::string(id) +
                                                             "\". Sessions live as long as this process, the last " +
                                                             std::to_string(max_sessions_) +
                                                             " of them; start one with session/new."});
  }
  found->second.last_used = ++uses_;
  return &found->second;
}

std::expected<json::object, RpcError> Sessions::list(std::string_view cwd, std::string_view cursor) const {
  const auto before = cursor.empty() ? std::numeric_limits<std::uint64_t>::max() : parse_number(cursor);
  if (!before)
    return std::unexpected(RpcError{RpcError::invalid_params, "The cursor must be the nextCursor of an earlier answer."});

  json::object result;
  json::array& page = result["sessions"].emplace_array();
  std::uint64_t last = 0;
  for (auto next = sessions_.lower_bound(*before); next != sessions_.begin();) {
    const Session& session = (--next)->second;
    if (!cwd.empty() && session.cwd != cwd) continue;
    if (page.size() == page_size) {
      result["nextCursor"] = std::to_string(last);
      break;
    }
    json::object info = {{"sessionId", session.id}, {"cwd", session.cwd}};
    if (!session.title.empty()) info["title"] = session.title;
    page.push_back(std::move(info));
    last = session.number;
  }
  return result;
}

bool Sessions::make_room() {
  if (sessions_.size() < max_sessions_) return true;
  auto oldest = sessions_.end();
  for (auto candidate = sessions_.begin(); candidate != sessions_.end(); ++candidate) {
    if (candidate->second.is_busy) continue;
    if (oldest == sessions_.end() || candidate->second.last_used < oldest->second.last_used) oldest = candidate;
  }
  if (oldest == sessions_.end()) return false;
  sessions_.erase(oldest);
  return true;
}

}  // namespace sa::mock
