// What GET / and GET /v1/health answer. Plain data.
#pragma once

#include "base/shape.h"

namespace sa {

struct RootDocument {
  std::string name;
  std::string version;
  std::string docs;
  std::string ui;
};

template <>
struct Shape<RootDocument> {
  static constexpr std::string_view name = "Root";
  static constexpr std::string_view help = "What this server is.";
  static constexpr std::tuple fields{
      Field{"name", &RootDocument::name, "Always \"Sandbox Agent\"."},
      Field{"version", &RootDocument::version, "The daemon's version."},
      Field{"docs", &RootDocument::docs, "Where the API document is."},
      Field{"ui", &RootDocument::ui, "Where the inspector is."},
  };
};

enum class HealthStatus : std::uint8_t { ok };

template <>
struct Words<HealthStatus> {
  static constexpr std::string_view all[] = {"ok"};
};

struct HealthDocument {
  HealthStatus status = HealthStatus::ok;
  std::string version;
  std::int64_t uptime_ms = 0;
};

template <>
struct Shape<HealthDocument> {
  static constexpr std::string_view name = "Health";
  static constexpr std::string_view help = "The daemon is up.";
  static constexpr std::tuple fields{
      Field{"status", &HealthDocument::status, "Always \"ok\"."},
      Field{"version", &HealthDocument::version, "The daemon's version."},
      Field{"uptimeMs", &HealthDocument::uptime_ms, "Milliseconds since the start."},
  };
};

}  // namespace sa
