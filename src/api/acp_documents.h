// What GET /v1/acp answers. Plain data.
#pragma once

#include "base/shape.h"

namespace sa {

enum class ServerStatus : std::uint8_t { starting, running, exited };

template <>
struct Words<ServerStatus> {
  static constexpr std::string_view all[] = {"starting", "running", "exited"};
};

struct ServerDocument {
  std::string server_id;
  std::string agent;
  std::int64_t created_at_ms = 0;
  ServerStatus status = ServerStatus::starting;
  std::optional<std::int64_t> pid;
  std::optional<std::int64_t> exit_code;
  std::optional<std::string> signal;
  std::int64_t last_activity_at_ms = 0;
  std::uint64_t pending_requests = 0;
  std::uint64_t open_agent_requests = 0;
  std::uint64_t readers = 0;
  std::uint64_t last_event_id = 0;
  std::string instance_id;
  std::optional<std::string> phase;
  std::optional<std::uint64_t> rss_bytes;
};

template <>
struct Shape<ServerDocument> {
  using D = ServerDocument;
  static constexpr std::string_view name = "Server";
  static constexpr std::string_view help = "One instance: an agent process bound to a server id.";
  static constexpr std::tuple fields{
      Field{"serverId", &D::server_id, "The id in the URL."},
      Field{"agent", &D::agent, "Which agent it runs."},
      Field{"createdAtMs", &D::created_at_ms, "When it was created, in milliseconds since 1970."},
      Field{"status", &D::status, "An exited one stays listed until DELETE."},
      Field{"pid", &D::pid, "The agent's process id, while it runs."},
      Field{"exitCode", &D::exit_code, "How it exited, when it exited by itself."},
      Field{"signal", &D::signal, "Which signal ended it, such as SIGKILL."},
      Field{"lastActivityAtMs", &D::last_activity_at_ms, "When a message last went either way."},
      Field{"pendingRequests", &D::pending_requests, "Requests of clients the agent has not answered yet."},
      Field{"openAgentRequests", &D::open_agent_requests, "Requests of the agent no client has answered yet."},
      Field{"readers", &D::readers, "Open event streams."},
      Field{"lastEventId", &D::last_event_id, "The number of the newest event; 0 before the first."},
      Field{"instanceId", &D::instance_id, "Random per instance; an id that is deleted and created again has another."},
      Field{"phase", &D::phase, "What is going on while it starts."},
      Field{"rssBytes", &D::rss_bytes, "Resident memory of the agent process."},
  };
};

struct ServerList {
  std::vector<ServerDocument> servers;
};

template <>
struct Shape<ServerList> {
  static constexpr std::string_view name = "ServerList";
  static constexpr std::string_view help = "All instances.";
  static constexpr std::tuple fields{Field{"servers", &ServerList::servers, "Sorted by server id."}};
};

}  // namespace sa
