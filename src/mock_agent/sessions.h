// The sessions of this process, in memory only. Bounded: when there are `max_sessions`, a new one takes the place of the
// one that was unused for longest. Owned by Agent. A Session stays where it is until it is erased or replaced, and is
// neither while it is busy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <string_view>

#include "mock_agent/history.h"
#include "mock_agent/rpc.h"
#include "mock_agent/settings.h"

namespace sa::mock {

struct Session {
  std::string id;
  std::string cwd;  // absolute
  History history;
  Settings settings;
  std::string title;            // the first words of the first prompt
  bool title_is_told = false;   // to the client
  bool is_open = true;          // closed ones can be loaded, resumed, forked and listed
  bool is_busy = false;         // a turn runs
  bool has_bonus = false;       // /commands added one
  bool always_allowed = false;  // /permission needs no answer any more
  int tool_calls = 0;           // so far
  std::uint64_t last_used = 0;  // counts uses of any session
  std::uint64_t number = 0;

  std::string path(std::string_view name) const { return cwd + (cwd.ends_with('/') ? "" : "/") + std::string(name); }
};

// Why a session that is busy takes neither a prompt nor another folder.
RpcError busy(const Session& session);

class Sessions {
 public:
  Sessions(std::size_t max_sessions, std::size_t max_history) : max_sessions_(max_sessions), max_history_(max_history) {}

  // demo-1, demo-2, …; a number is never used twice. Fails when all others are busy.
  std::expected<Session*, RpcError> create(std::string cwd);
  // A copy under a new id, except for what was allowed: that holds where it was said.
  std::expected<Session*, RpcError> fork(const Session& source, std::string cwd);

  std::expected<Session*, RpcError> find(std::string_view id);  // counts as a use
  void erase(const Session& session) { sessions_.erase(session.number); }

  // The result of session/list: newest first, fifty at a time. An empty `cwd` or `cursor` means none.
  std::expected<json::object, RpcError> list(std::string_view cwd, std::string_view cursor) const;

 private:
  bool make_room();

  std::size_t max_sessions_;
  std::size_t max_history_;
  std::map<std::uint64_t, Session> sessions_;
  std::uint64_t last_number_ = 0;
  std::uint64_t uses_ = 0;
};

}  // namespace sa::mock
