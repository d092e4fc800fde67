#include "base/settings.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace sa {
namespace {

#define PLACE(type, member) +[](Settings& settings) -> type& { return settings.member; }

using Texts = std::vector<std::string>;

constexpr std::int64_t longest_millis = 2'000'000'000;  // three weeks; fits everywhere

const SettingRow rows[] = {
    {"--host", "", "SANDBOX_AGENT_HOST", "ADDRESS", "address to listen on", PLACE(std::string, host)},
    {"--port", "-p", "SANDBOX_AGENT_PORT", "PORT", "port to listen on; 0 picks a free one", PLACE(std::uint16_t, port)},
    {"--token", "", "SANDBOX_AGENT_TOKEN", "TOKEN",
     "token clients must send (a flag is visible in process lists; prefer the file)", PLACE(std::string, token)},
    {"--token-file", "", "", "FILE", "file that holds the token", PLACE(std::string, token_file)},
    {"--no-token", "", "", "", "let everybody in who can connect", PLACE(bool, no_token)},
    {"--allow-open", "", "SANDBOX_AGENT_ALLOW_OPEN", "", "allow --no-token on an address others can reach",
     PLACE(bool, allow_open)},
    {"--allow-host", "", "", "NAME", "a Host name to answer for besides our own; repeatable", PLACE(Texts, allow_hosts)},
    {"--cors-allow-origin", "-O", "", "ORIGIN", "a web origin that may call us, or '*'; repeatable",
     PLACE(Texts, cors_origins)},
    {"--cors-allow-method", "-M", "", "METHOD", "a method such origins may use, instead of all; repeatable",
     PLACE(Texts, cors_methods)},
    {"--cors-allow-header", "-A", "", "HEADER", "a request header such origins may send besides the usual ones; repeatable",
     PLACE(Texts, cors_headers)},
    {"--cors-allow-credentials", "-C", "", "", "let such origins send credentials", PLACE(bool, cors_credentials)},
    {"--agent", "", "", "ID=COMMAND", "an ACP agent to offer, with its command line; repeatable", PLACE(Texts, agents)},
    {"--agents-dir", "", "", "DIR", "manifests of further agents, instead of the user's own folder",
     PLACE(std::string, agents_dir)},
    {"--registry-url", "", "SANDBOX_AGENT_ACP_REGISTRY_URL", "URL", "the ACP registry, a URL or a file",
     PLACE(std::string, registry_url)},
    {"--require-preinstall", "", "SANDBOX_AGENT_REQUIRE_PREINSTALL", "", "never install an agent because somebody uses it",
     PLACE(bool, require_preinstall)},
    {"--fs-root", "", "", "DIR", "confine the file and config routes to this directory; relative paths start there",
     PLACE(std::string, fs_root)},
    {"--json", "", "", "", "print one JSON line instead of text when ready", PLACE(bool, json)},
    {"--ready-fd", "", "", "FD", "also write that line to this descriptor", PLACE(int, ready_fd)},
    {"--end-with-stdin", "", "", "", "end when standard input, a pipe, is closed: whoever holds it has ended",
     PLACE(bool, end_with_stdin)},
    {"--background", "", "", "", "this server is the background daemon; `daemon start` says it", PLACE(bool, background)},
    {"--for-command", "", "", "", "it may be replaced when it is idle, as a command needed it; `run` and `up` say it",
     PLACE(bool, for_command)},
    {"--idle-exit-ms", "", "", "MS", "end when there was no instance and no request below /v1 for so long; 0 for never",
     PLACE(Millis, daemon.idle_exit)},
    {"--log-file", "", "", "FILE", "write the log there instead of stderr", PLACE(std::string, log_file)},
    {"--log-level", "", "SANDBOX_AGENT_LOG", "LEVEL", "debug, info, warn, error or off", PLACE(std::string, log_level)},
    {"--no-telemetry", "", "", "", "accepted and without effect: there is no telemetry", PLACE(bool, no_telemetry)},
    {"--request-timeout-ms", "", "SANDBOX_AGENT_ACP_REQUEST_TIMEOUT_MS", "MS",
     "how long a POST waits for the agent's answer; 0 for ever", PLACE(Millis, instances.request_timeout)},
    {"--stop-grace-ms", "", "", "MS", "time between SIGTERM and SIGKILL when an agent is ended",
     PLACE(Millis, instances.stop_grace)},
    {"--max-instances", "", "", "N", "most instances at a time", PLACE(std::size_t, instances.max_instances)},
    {"--ring-messages", "", "", "N", "messages kept per instance for readers that come back",
     PLACE(std::size_t, instances.ring.max_messages)},
    {"--ring-bytes", "", "", "BYTES", "bytes kept per instance", PLACE(std::size_t, instances.ring.max_bytes)},
    {"--total-ring-bytes", "", "", "BYTES", "bytes kept for all instances together",
     PLACE(std::size_t, instances.total_ring_bytes)},
    {"--exited-ring-ms", "", "", "MS", "how long an ended instance's messages are kept", PLACE(Millis, instances.exited_ring)},
    {"--outbox-bytes", "", "", "BYTES", "bytes that may wait for an agent that does not read",
     PLACE(std::size_t, instances.outbox_bytes)},
    {"--max-line-bytes", "", "", "BYTES", "longest line an agent may write", PLACE(std::size_t, instances.max_line_bytes)},
    {"--reader-stall-ms", "", "", "MS", "a reader that takes nothing for so long is left behind",
     PLACE(Millis, instances.reader_stall)},
    {"--reader-hold-ms", "", "", "MS", "longest pause of an agent for a reader that lags",
     PLACE(Millis, instances.reader_hold)},
    {"--reader-timeout-ms", "", "", "MS", "a client that takes nothing for so long is disconnected",
     PLACE(Millis, http.write_timeout)},
    {"--heartbeat-ms", "", "", "MS", "silence after which a stream carries a heartbeat", PLACE(Millis, http.heartbeat)},
    {"--head-timeout-ms", "", "", "MS", "time for a request's head to arrive", PLACE(Millis, http.head_timeout)},
    {"--body-timeout-ms", "", "", "MS", "longest pause within a request's body", PLACE(Millis, http.body_timeout)},
    {"--idle-timeout-ms", "", "", "MS", "how long an idle connection is kept", PLACE(Millis, http.idle_timeout)},
    {"--max-head-bytes", "", "", "BYTES", "largest request head", PLACE(std::size_t, http.max_head_bytes)},
    {"--max-json-bytes", "", "", "BYTES", "largest JSON body; 0 for any", PLACE(std::size_t, http.max_json_bytes)},
    {"--max-envelope-bytes", "", "", "BYTES", "largest message to an agent; 0 for any",
     PLACE(std::size_t, http.max_envelope_bytes)},
    {"--max-file-bytes", "", "", "BYTES", "largest file to upload; 0 for any", PLACE(std::size_t, files.max_file_bytes)},
    {"--max-archive-bytes", "", "", "BYTES", "largest archive to upload, as it is sent; 0 for any",
     PLACE(std::size_t, files.max_archive_bytes)},
    {"--max-unpacked-bytes", "", "", "BYTES", "most an uploaded archive may unpack to; 0 for any",
     PLACE(std::size_t, files.max_unpacked_bytes)},
    {"--max-archives", "", "", "N", "archives unpacked at a time", PLACE(std::size_t, files.max_archives)},
    {"--max-artifact-bytes", "", "", "BYTES", "largest archive of an agent to download; 0 for any",
     PLACE(std::size_t, installs.max_artifact_bytes)},
    {"--install-timeout-ms", "", "", "MS", "time for one download or one run of a package manager",
     PLACE(Millis, installs.time_limit)},
    {"--max-connections", "", "", "N", "most connections at a time; 0 for what descriptors allow",
     PLACE(std::size_t, http.max_connections)},
};

#undef PLACE

std::unexpected<Error> usage(std::string detail) { return fail(ErrorCode::invalid_request, std::move(detail)); }

template <class Number>
bool parse_number(std::string_view text, Number& out) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && stop == text.data() + text.size() && !text.empty();
}

struct Assign {
  Settings& settings;
  std::string_view text;

  bool operator()(bool& (*place)(Settings&)) const {
    const bool on = text == "1" || text == "true" || text == "yes";
    const bool off = text == "0" || text == "false" || text == "no" || text.empty();
    place(settings) = on;
    return on || off;
  }
  bool operator()(std::string& (*place)(Settings&)) const {
    place(settings) = text;
    return true;
  }
  bool operator()(std::vector<std::string>& (*place)(Settings&)) const {
    place(settings).emplace_back(text);
    return true;
  }
  bool operator()(Millis& (*place)(Settings&)) const {
    std::int64_t value = 0;
    if (!parse_number(text, value) || value < 0 || value > longest_millis) return false;
    place(settings) = Millis(value);
    return true;
  }
  template <class Number>
  bool operator()(Number& (*place)(Settings&)) const {
    return parse_number(text, place(settings));
  }
};

const SettingRow* find_row(std::string_view name) {
  for (const SettingRow& row : rows)
    if (row.flag == name || (!row.short_flag.empty() && row.short_flag == name)) return &row;
  return nullptr;
}

std::string_view expected(const SettingRow& row) {
  if (row.value.empty()) return "1 or 0";
  if (row.value == "PORT") return "a number up to 65535";
  if (row.value == "MS") return "a number of milliseconds, up to three weeks";
  return "a number";  // texts take anything
}

struct GivenFlag {
  const SettingRow* row;
  std::string_view value;
};

Result<std::vector<GivenFlag>> find_flags(std::span<const std::string_view> arguments) {
  std::vector<GivenFlag> given;
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    const std::string_view argument = arguments[at];
    const std::size_t equals = argument.starts_with("--") ? argument.find('=') : std::string_view::npos;
    const SettingRow* row = find_row(argument.substr(0, equals));
    if (!row)
      return usage(fmt::format("{} '{}'", argument.starts_with('-') ? "unknown option" : "unexpected argument",
                               argument.substr(0, equals)));
    std::string_view value = "1";
    if (equals != std::string_view::npos) {
      value = argument.substr(equals + 1);
    } else if (!row->value.empty()) {
      if (++at == arguments.size()) return usage(fmt::format("{} needs a value: {} {}", row->flag, row->flag, row->value));
      value = arguments[at];
    }
    if (value.empty() && !row->value.empty()) return usage(fmt::format("{} needs a value, and this one is empty", row->flag));
    given.push_back({row, value});
  }
  return given;
}

// "--ring-bytes" is "ringBytes".
std::string in_one_word(std::string_view flag) {
  std::string word;
  for (char c : flag.substr(2)) {
    if (word.ends_with('-')) {
      word.back() = static_cast<char>(c - 'a' + 'A');
    } else {
      word += c;
    }
  }
  return word;
}

// As browsers write an origin: scheme and host in lower case, no slash behind it, and no port that its scheme has anyway.
// Empty for what is none.
std::string as_browsers_write_it(std::string_view given) {
  std::string origin(given);
  std::ranges::transform(origin, origin.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (origin.ends_with('/')) origin.pop_back();
  const std::size_t mark = origin.find("://");
  const std::size_t host = mark + std::string_view("://").size();
  if (mark == std::string::npos || mark == 0 || host >= origin.size()) return "";
  if (origin.find_first_of("/?#@, \t\\", host) != std::string::npos) return "";
  const std::string_view usual_port = origin.starts_with("https:") ? ":443" : origin.starts_with("http:") ? ":80" : "";
  if (!usual_port.empty() && origin.ends_with(usual_port)) origin.resize(origin.size() - usual_port.size());
  return origin.size() > host ? origin : "";
}

// What HTTP calls a token.
bool is_word_of_a_header(std::string_view text) {
  static constexpr std::string_view signs = "!#$%&'*+-.^_`|~";
  const auto may_stand = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || signs.contains(c);
  };
  return !text.empty() && std::ranges::all_of(text, may_stand);
}

// What a single value cannot tell.
Result<Settings> check(Settings settings) {
  if (settings.instances.ring.max_messages == 0) return usage("--ring-messages must be 1 at least");
  for (std::string& origin : settings.cors_origins) {
    if (origin == "*") continue;
    const std::string given = std::exchange(origin, as_browsers_write_it(origin));
    if (origin.empty())
      return usage(fmt::format("'{}' is not an origin for --cors-allow-origin; write it like https://example.com", given));
  }
  for (std::string& method : settings.cors_methods) {
    if (!is_word_of_a_header(method))
      return usage(fmt::format("'{}' is not a method for --cors-allow-method; write one word, like PATCH", method));
    std::ranges::transform(method, method.begin(), [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  }
  for (const std::string& header : settings.cors_headers)
    if (header != "*" && !is_word_of_a_header(header))
      return usage(
          fmt::format("'{}' is not the name of a header for --cors-allow-header; write only its name, like X-Trace", header));
  for (const std::string& host : settings.allow_hosts)
    if (host.find('/') != std::string::npos)
      return usage(fmt::format("'{}' is not a host for --allow-host; write only its name, like example.com", host));
  if (settings.host.starts_with('[') && settings.host.ends_with(']'))
    settings.host = settings.host.substr(1, settings.host.size() - 2);
  return settings;
}

}  // namespace

std::span<const SettingRow> setting_rows() { return rows; }

std::string default_text(const SettingRow& row) {
  Settings defaults;
  struct {
    Settings& settings;
    std::string operator()(bool& (*)(Settings&)) const { return "off"; }
    std::string operator()(std::vector<std::string>& (*)(Settings&)) const { return ""; }
    std::string operator()(std::string& (*place)(Settings&)) const { return place(settings); }
    std::string operator()(Millis& (*place)(Settings&)) const { return std::to_string(place(settings).count()); }
    std::string operator()(int& (*place)(Settings&)) const {
      return place(settings) < 0 ? "" : std::to_string(place(settings));
    }
    std::string operator()(std::uint16_t& (*place)(Settings&)) const { return std::to_string(place(settings)); }
    std::string operator()(std::size_t& (*place)(Settings&)) const { return std::to_string(place(settings)); }
  } text{defaults};
  return std::visit(text, row.place);
}

bool is_same_setting(const SettingRow& row, const Settings& one, const Settings& other) {
  Settings first = one, second = other;
  return std::visit([&](auto place) { return place(first) == place(second); }, row.place);
}

std::map<std::string, std::uint64_t> limits_in_force(const Settings& settings) {
  Settings copy = settings;
  std::map<std::string, std::uint64_t> limits;
  for (const SettingRow& row : rows) {
    if (const auto* bytes = std::get_if<std::size_t& (*)(Settings&)>(&row.place))
      limits[in_one_word(row.flag)] = (*bytes)(copy);
    if (const auto* time = std::get_if<Millis& (*)(Settings&)>(&row.place))
      limits[in_one_word(row.flag)] = static_cast<std::uint64_t>((*time)(copy).count());
  }
  return limits;
}

Result<Settings> parse_settings(std::span<const std::string_view> arguments, const Environment& environment) {
  TRY(const auto given, find_flags(arguments));
  Settings settings;
  for (const SettingRow& row : rows) {
    if (row.environment.empty() || std::ranges::find(given, &row, &GivenFlag::row) != given.end()) continue;
    const auto value = environment(row.environment);
    if (!value || (value->empty() && !row.value.empty())) continue;
    if (!std::visit(Assign{settings, *value}, row.place))
      return usage(fmt::format("the environment variable {} is '{}'; expected {}", row.environment, *value, expected(row)));
  }
  settings.environment_token = std::exchange(settings.token, {});
  for (const auto& [row, value] : given)
    if (!std::visit(Assign{settings, value}, row->place))
      return usage(fmt::format("'{}' is not usable for {}; expected {}", value, row->flag, expected(*row)));
  return check(settings);
}

}  // namespace sa
