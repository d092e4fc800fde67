// What `daemon …` and the commands that show a link print as JSON.
#pragma once

#include "base/shape.h"

namespace sa {

struct DaemonDocument {
  bool running = false;
  std::optional<std::string> url;
  std::optional<std::int64_t> pid;
  std::optional<std::string> version;
  std::optional<std::int64_t> started_at_ms;
  std::optional<bool> background;
  std::optional<std::int64_t> idle_exit_ms;
  std::optional<std::string> log_file;
  std::optional<bool> started_now;
  std::optional<bool> healthy;
};

template <>
struct Shape<DaemonDocument> {
  using D = DaemonDocument;
  static constexpr std::string_view name = "Daemon";
  static constexpr std::string_view help = "The daemon of this machine.";
  static constexpr std::tuple fields{
      Field{"running", &D::running, "Whether one runs."},
      Field{"url", &D::url, "Where it listens."},
      Field{"pid", &D::pid, "Its process id."},
      Field{"version", &D::version, "Its version."},
      Field{"startedAtMs", &D::started_at_ms, "When it started, in milliseconds since 1970."},
      Field{"background", &D::background, "Whether it runs in the background; else somebody runs 'server'."},
      Field{"idleExitMs", &D::idle_exit_ms, "How long it stays when nobody uses it; 0 for ever."},
      Field{"logFile", &D::log_file, "Where it writes its log, in the background."},
      Field{"startedNow", &D::started_now, "Whether this command started it."},
      Field{"healthy", &D::healthy, "Whether it answers."},
  };
};

struct LinkDocument {
  std::string url;
  std::string link;
  bool started_now = false;
  std::optional<std::string> agent;
};

template <>
struct Shape<LinkDocument> {
  using D = LinkDocument;
  static constexpr std::string_view name = "Link";
  static constexpr std::string_view help = "The way into the inspector.";
  static constexpr std::tuple fields{
      Field{"url", &D::url, "Where the daemon listens."},
      Field{"link", &D::link, "The inspector's link, with the token in its fragment: keep it to yourself."},
      Field{"startedNow", &D::started_now, "Whether this command started the daemon."},
      Field{"agent", &D::agent, "The id of the agent that was given behind '--'."},
  };
};

}  // namespace sa
