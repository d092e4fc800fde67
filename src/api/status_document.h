// What GET /v1/status answers. Plain data.
#pragma once

#include "base/shape.h"
#include "io/platform.h"

namespace sa {

struct BuildDocument {
  std::string type;
  std::string compiler;
  std::string linkage;
};

template <>
struct Shape<BuildDocument> {
  static constexpr std::string_view name = "Build";
  static constexpr std::string_view help = "How this binary was built.";
  static constexpr std::tuple fields{
      Field{"type", &BuildDocument::type, "The build type, such as Release."},
      Field{"compiler", &BuildDocument::compiler, "The compiler and its version."},
      Field{"linkage", &BuildDocument::linkage, "static or dynamic."},
  };
};

struct CountersDocument {
  std::uint64_t connections = 0;
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;
  std::uint64_t bytes_received = 0;
  std::uint64_t instances = 0;
  std::uint64_t events = 0;
  std::uint64_t readers = 0;
  std::uint64_t deliveries = 0;
  std::uint64_t gaps = 0;
};

template <>
struct Shape<CountersDocument> {
  using D = CountersDocument;
  static constexpr std::string_view name = "Counters";
  static constexpr std::string_view help = "Totals since the start.";
  static constexpr std::tuple fields{
      Field{"connections", &D::connections, "Connections accepted."},
      Field{"requests", &D::requests, "HTTP requests."},
      Field{"bytes", &D::bytes, "Bytes sent to clients."},
      Field{"bytesReceived", &D::bytes_received, "Bytes received from clients."},
      Field{"instances", &D::instances, "Instances started."},
      Field{"events", &D::events, "Messages of agents."},
      Field{"readers", &D::readers, "Event streams opened."},
      Field{"deliveries", &D::deliveries, "Events handed to event streams."},
      Field{"gaps", &D::gaps, "Times a reader was told that it missed something."},
  };
};

struct CurrentDocument {
  std::uint64_t connections = 0;
  std::uint64_t instances = 0;
  std::uint64_t readers = 0;
  std::uint64_t pending_requests = 0;
};

template <>
struct Shape<CurrentDocument> {
  using D = CurrentDocument;
  static constexpr std::string_view name = "Current";
  static constexpr std::string_view help = "What there is at this moment.";
  static constexpr std::tuple fields{
      Field{"connections", &D::connections, "Open connections."},
      Field{"instances", &D::instances, "Instances listed."},
      Field{"readers", &D::readers, "Open event streams."},
      Field{"pendingRequests", &D::pending_requests, "Requests the agents have not answered yet."},
  };
};

struct MemoryDocument {
  std::uint64_t rss_bytes = 0;
  std::uint64_t peak_rss_bytes = 0;
  std::uint64_t ring_bytes = 0;
  std::uint64_t threads = 0;
};

template <>
struct Shape<MemoryDocument> {
  using D = MemoryDocument;
  static constexpr std::string_view name = "Memory";
  static constexpr std::string_view help = "The daemon's own memory; its agents are not in it.";
  static constexpr std::tuple fields{
      Field{"rssBytes", &D::rss_bytes, "Resident memory."},
      Field{"peakRssBytes", &D::peak_rss_bytes, "The most it ever was."},
      Field{"ringBytes", &D::ring_bytes, "Messages kept for readers that come back."},
      Field{"threads", &D::threads, "Threads; more than one only while blocking work is done."},
  };
};

template <>
struct Shape<Platform> {
  using D = Platform;
  static constexpr std::string_view name = "Platform";
  static constexpr std::string_view help = "What this machine offers, found by trying.";
  static constexpr std::tuple fields{
      Field{"system", &D::system, "The operating system."},
      Field{"kernel", &D::kernel, "Its release."},
      Field{"machine", &D::machine, "The processor's kind, such as x86_64."},
      Field{"processors", &D::processors, "Processors online."},
      Field{"descriptorLimit", &D::descriptor_limit, "Most open descriptors."},
      Field{"features", &D::features, "System features by name: whether they work here."},
  };
};

struct StatusDocument {
  std::string version;
  BuildDocument build;
  std::int64_t pid = 0;
  std::string directory;
  std::int64_t uptime_ms = 0;
  CountersDocument counters;
  CurrentDocument current;
  MemoryDocument memory;
  std::map<std::string, std::uint64_t> limits;
  Platform platform;
};

template <>
struct Shape<StatusDocument> {
  using D = StatusDocument;
  static constexpr std::string_view name = "Status";
  static constexpr std::string_view help = "What an operator wants to know about a running daemon.";
  static constexpr std::tuple fields{
      Field{"version", &D::version, "The daemon's version."},
      Field{"build", &D::build, "How it was built."},
      Field{"pid", &D::pid, "The daemon's process id."},
      Field{"directory", &D::directory, "The daemon's working directory, which is that of its agents."},
      Field{"uptimeMs", &D::uptime_ms, "Milliseconds since the start."},
      Field{"counters", &D::counters, "Totals since the start."},
      Field{"current", &D::current, "What there is at this moment."},
      Field{"memory", &D::memory, "The daemon's own memory."},
      Field{"limits", &D::limits, "The limits in force, by the name of their flag: --ring-bytes is ringBytes."},
      Field{"platform", &D::platform, "What this machine offers."},
  };
};

}  // namespace sa
