// What the commands that change this machine's agents print with --json. Values and their shapes.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "agents/install_record.h"
#include "base/shape.h"
#include "cli/failure_document.h"

namespace sa {

enum class ProgressWord : std::uint8_t { progress };
template <>
struct Words<ProgressWord> {
  static constexpr std::string_view all[] = {"progress"};
};
enum class DoneWord : std::uint8_t { done };
template <>
struct Words<DoneWord> {
  static constexpr std::string_view all[] = {"done"};
};
enum class FailedWord : std::uint8_t { failed };
template <>
struct Words<FailedWord> {
  static constexpr std::string_view all[] = {"failed"};
};

struct InstallProgressLine {
  ProgressWord event = ProgressWord::progress;
  std::string agent;
  std::string phase;
  std::optional<std::uint64_t> bytes;
  std::optional<std::uint64_t> total;
};

template <>
struct Shape<InstallProgressLine> {
  using D = InstallProgressLine;
  static constexpr std::string_view name = "InstallProgressLine";
  static constexpr std::string_view help = "How far an install is.";
  static constexpr std::tuple fields{
      Field{"event", &D::event, "Always progress."},
      Field{"agent", &D::agent, "Which agent."},
      Field{"phase", &D::phase, "waiting, registry, downloading, unpacking, npm, uv, verifying or switching."},
      Field{"bytes", &D::bytes, "Downloaded so far; of npm and uv, what they have written."},
      Field{"total", &D::total, "Of these many, when known."},
  };
};

struct InstallDoneLine {
  DoneWord event = DoneWord::done;
  std::string agent;
  bool already_installed = false;
  RegistryState registry = RegistryState::non_registry;
  bool verified = false;
  std::vector<Artifact> artifacts;
};

template <>
struct Shape<InstallDoneLine> {
  using D = InstallDoneLine;
  static constexpr std::string_view name = "InstallDoneLine";
  static constexpr std::string_view help = "An agent is installed.";
  static constexpr std::tuple fields{
      Field{"event", &D::event, "Always done."},
      Field{"agent", &D::agent, "Which agent."},
      Field{"already_installed", &D::already_installed, "There was nothing to do."},
      Field{"registry", &D::registry, "What the registry said of the agent."},
      Field{"verified", &D::verified, "Whether it was tried out after the install."},
      Field{"artifacts", &D::artifacts, "What is installed, the program that speaks ACP first."},
  };
};

// One of several; a single one's failure is the command's.
struct InstallFailedLine {
  FailedWord event = FailedWord::failed;
  std::string agent;
  FailureWords error;
};

template <>
struct Shape<InstallFailedLine> {
  using D = InstallFailedLine;
  static constexpr std::string_view name = "InstallFailedLine";
  static constexpr std::string_view help = "One of several agents could not be installed; the others follow.";
  static constexpr std::tuple fields{
      Field{"event", &D::event, "Always failed."},
      Field{"agent", &D::agent, "Which agent."},
      Field{"error", &D::error, "Why."},
  };
};

using InstallLine = std::variant<InstallProgressLine, InstallDoneLine, InstallFailedLine>;

struct RemovedLine {
  std::string agent;
  bool installed = false;
};

template <>
struct Shape<RemovedLine> {
  static constexpr std::string_view name = "RemovedLine";
  static constexpr std::string_view help = "An agent whose install was removed.";
  static constexpr std::tuple fields{
      Field{"agent", &RemovedLine::agent, "Which agent."},
      Field{"installed", &RemovedLine::installed, "Whether it can still be started: what others put there stays."},
  };
};

struct BundleDocument {
  std::string file;
  std::string platform;
  std::vector<std::string> agents;
};

template <>
struct Shape<BundleDocument> {
  using D = BundleDocument;
  static constexpr std::string_view name = "BundleFile";
  static constexpr std::string_view help = "A bundle that was written.";
  static constexpr std::tuple fields{
      Field{"file", &D::file, "Where it is."},
      Field{"platform", &D::platform, "Where it can be used."},
      Field{"agents", &D::agents, "What it holds."},
  };
};

}  // namespace sa
