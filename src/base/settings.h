// The server's settings and the one table that describes them: flag, environment variable, default, help. Parsing, --help and
// the reference page all read it. Flags beat the environment.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/limits.h"
#include "base/result.h"

namespace sa {

struct Settings {
  std::string host = "127.0.0.1";
  std::uint16_t port = 2468;
  std::string token;              // from the flag
  std::string environment_token;  // counts only when no flag speaks of a token
  std::string token_file;
  bool no_token = false;
  bool allow_open = false;
  std::vector<std::string> allow_hosts;
  std::vector<std::string> cors_origins;
  std::vector<std::string> cors_methods;
  std::vector<std::string> cors_headers;
  bool cors_credentials = false;
  std::vector<std::string> agents;  // "id=command line"
  std::string agents_dir;           // of manifests; empty: the user's
  std::string registry_url = "https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json";
  bool require_preinstall = false;
  bool json = false;
  int ready_fd = -1;
  bool end_with_stdin = false;
  std::string log_file;
  std::string log_level = "info";
  bool background = false;    // this server is the background daemon
  bool for_command = false;   // started because a command needed one
  bool no_telemetry = false;  // accepted for scripts; there is none to switch off
  std::string fs_root;        // empty: the home directory, which does not confine
  DaemonLimits daemon;
  HttpLimits http;
  InstallLimits installs;
  FileLimits files;
  InstanceLimits instances;
};

using SettingPlace =
    std::variant<bool& (*)(Settings&), int& (*)(Settings&), std::uint16_t& (*)(Settings&), std::size_t& (*)(Settings&),
                 Millis& (*)(Settings&), std::string& (*)(Settings&), std::vector<std::string>& (*)(Settings&)>;

struct SettingRow {
  std::string_view flag;         // with dashes
  std::string_view short_flag;   // or empty
  std::string_view environment;  // or empty
  std::string_view value;        // what stands for the value in help; empty for a switch
  std::string_view help;
  SettingPlace place;
};

std::span<const SettingRow> setting_rows();
std::string default_text(const SettingRow& row);
// Whether both have the same there.
bool is_same_setting(const SettingRow& row, const Settings& one, const Settings& other);

// The limits and time-outs among them, by the name of their flag in one word: "--ring-bytes" is "ringBytes".
std::map<std::string, std::uint64_t> limits_in_force(const Settings& settings);

using Environment = std::function<std::optional<std::string>(std::string_view name)>;

// Error: invalid_request that names the flag or variable.
Result<Settings> parse_settings(std::span<const std::string_view> arguments, const Environment& environment);

}  // namespace sa
