#include "base/settings.h"

#include <doctest/doctest.h>

#include <map>
#include <set>

namespace sa {
namespace {

using Variables = std::map<std::string, std::string, std::less<>>;
using Arguments = std::vector<std::string_view>;
using Texts = std::vector<std::string>;

Result<Settings> parse(const Arguments& arguments, const Variables& variables = {}) {
  return parse_settings(arguments, [&](std::string_view name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
}

std::string complaint(const Arguments& arguments, const Variables& variables = {}) {
  const auto settings = parse(arguments, variables);
  if (settings) return "";
  CHECK(settings.error().code == ErrorCode::invalid_request);
  return settings.error().detail;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

TEST_CASE("every row has a flag, a help text, and names nobody else has") {
  std::set<std::string_view> names, variables;
  for (const SettingRow& row : setting_rows()) {
    CAPTURE(row.flag);
    CHECK(row.flag.starts_with("--"));
    CHECK(row.flag.find('=') == std::string_view::npos);
    CHECK_FALSE(row.help.empty());
    CHECK(names.insert(row.flag).second);
    if (!row.short_flag.empty()) {
      CHECK(row.short_flag.size() == 2);
      CHECK(names.insert(row.short_flag).second);
    }
    if (!row.environment.empty()) {
      CHECK(row.environment.starts_with("SANDBOX_AGENT_"));
      CHECK(variables.insert(row.environment).second);
    }
  }
}

TEST_CASE("every row takes its own default, and no two rows write to the same place") {
  std::set<const void*> places;
  Settings settings;
  for (const SettingRow& row : setting_rows()) {
    CAPTURE(row.flag);
    CHECK(std::visit([&](auto place) { return places.insert(&place(settings)).second; }, row.place));
    const bool is_switch = std::holds_alternative<bool& (*)(Settings&)>(row.place);
    CHECK(row.value.empty() == is_switch);
    const std::string text = default_text(row);
    if (is_switch) {
      CHECK(parse({row.flag}).has_value());
    } else if (!text.empty()) {
      CHECK(parse({row.flag, text}).has_value());
    }
  }
}

TEST_CASE("the documented defaults hold without any flag") {
  const Settings settings = parse({}).value();
  CHECK(settings.host == "127.0.0.1");
  CHECK(settings.port == 2468);
  CHECK(settings.instances.ring.max_messages == 16'384);
  CHECK(settings.instances.ring.max_bytes == 32u << 20);
  CHECK(settings.instances.total_ring_bytes == 256u << 20);
  CHECK(settings.instances.stop_grace == Millis(1'500));
  CHECK(settings.instances.request_timeout == Millis(0));
  CHECK(settings.instances.max_instances == 256);
  CHECK(settings.http.max_head_bytes == 64u << 10);
  CHECK(settings.http.max_envelope_bytes == 64u << 20);
  CHECK(settings.http.head_timeout == Millis(30'000));
}

TEST_CASE("a value follows its flag or an equals sign, and may itself hold one") {
  CHECK(parse({"--port", "81"})->port == 81);
  CHECK(parse({"--port=82"})->port == 82);
  CHECK(parse({"-p", "83"})->port == 83);
  CHECK(parse({"--agent=a=b c"})->agents == Texts{"a=b c"});
  CHECK(parse({"--agent", "a=--b"})->agents == Texts{"a=--b"});
  CHECK(parse({"--token="})->token.empty());
  CHECK(parse({"--token", "--port"})->token == "--port");
}

TEST_CASE("of a repeated flag the last counts, repeatable ones collect") {
  CHECK(parse({"--port=1", "--port=2"})->port == 2);
  CHECK(parse({"-O", "http://a", "--cors-allow-origin=http://b", "-O", "*"})->cors_origins ==
        Texts{"http://a", "http://b", "*"});
  CHECK(parse({"--allow-host=a", "--allow-host=a"})->allow_hosts == Texts{"a", "a"});
}

TEST_CASE("an allowed origin is kept as browsers write it, and what is none is refused") {
  const auto kept = [](const char* origin) { return parse({"-O", origin})->cors_origins.at(0); };
  CHECK(kept("https://app.example/") == "https://app.example");
  CHECK(kept("HTTPS://App.Example:443") == "https://app.example");
  CHECK(kept("http://app.example:80/") == "http://app.example");
  CHECK(kept("http://[::1]:80") == "http://[::1]");
  CHECK(kept("http://app.example:443") == "http://app.example:443");
  CHECK(kept("https://app.example:8443") == "https://app.example:8443");
  CHECK(kept("tauri://localhost") == "tauri://localhost");
  for (const char* other : {"app.example", "https://", "https:///", "://app.example", "https://app.example/path", "https://a?b",
                            "https://a#b", "https://me@app.example", "https://a,https://b", "https://:443"})
    CHECK_MESSAGE(contains(complaint({"-O", other}), "is not an origin"), other);
}

TEST_CASE("a method is allowed as browsers write it, and neither it nor a header can be more than a word") {
  CHECK(parse({"-M", "patch"})->cors_methods == Texts{"PATCH"});
  CHECK(parse({"-A", "X-One", "-A", "*"})->cors_headers == Texts{"X-One", "*"});
  for (const char* other : {"G T", "X\r\nEvil: z", "a,b", "a:"}) {
    CHECK_MESSAGE(contains(complaint({"-M", other}), "is not a method"), other);
    CHECK_MESSAGE(contains(complaint({"-A", other}), "is not the name of a header"), other);
  }
}

TEST_CASE("a switch stands alone or says yes or no") {
  CHECK(parse({"--no-token"})->no_token);
  CHECK(parse({"--no-token=true"})->no_token);
  CHECK_FALSE(parse({"--no-token=false"})->no_token);
  CHECK_FALSE(parse({"--no-token", "--no-token=0"})->no_token);
  CHECK(parse({"--json", "--port=1"})->json);
  CHECK(contains(complaint({"--no-token=maybe"}), "--no-token"));
}

TEST_CASE("a bad number is refused by the name of its flag") {
  for (const char* value : {"", "x", "-1", "65536", "1.5", "0x10", "80 ", " 80", "+80"}) {
    CAPTURE(value);
    CHECK(contains(complaint({"--port", value}), "--port"));
  }
  for (const char* value : {"", "-1", "ms", "10s", "99999999999999999999"}) {
    CAPTURE(value);
    CHECK(contains(complaint({"--stop-grace-ms", value}), "--stop-grace-ms"));
    CHECK(contains(complaint({"--ring-bytes", value}), "--ring-bytes"));
  }
}

TEST_CASE("a host to answer for is a name, not an address with a scheme or a path") {
  CHECK(parse({"--allow-host", "example.com", "--allow-host=[::1]:80"}));
  for (const char* value : {"http://example.com", "example.com/", "*/*"}) {
    CAPTURE(value);
    CHECK(contains(complaint({"--allow-host", value}), "--allow-host"));
  }
}

TEST_CASE("unknown flags, stray words and missing values are refused by name") {
  CHECK(contains(complaint({"--prot=1"}), "'--prot'"));
  CHECK(contains(complaint({"start"}), "'start'"));
  CHECK(contains(complaint({""}), "''"));
  CHECK(contains(complaint({"--port"}), "--port"));
  CHECK(contains(complaint({"--json", "--token"}), "--token"));
}

TEST_CASE("the environment counts where no flag speaks") {
  const Variables variables = {
      {"SANDBOX_AGENT_PORT", "90"}, {"SANDBOX_AGENT_HOST", "::1"}, {"SANDBOX_AGENT_ACP_REQUEST_TIMEOUT_MS", "5"}};
  CHECK(parse({}, variables)->port == 90);
  CHECK(parse({}, variables)->host == "::1");
  CHECK(parse({}, variables)->instances.request_timeout == Millis(5));
  CHECK(parse({"--port=91"}, variables)->port == 91);
  CHECK(parse({"--request-timeout-ms", "0"}, variables)->instances.request_timeout == Millis(0));
  CHECK(parse({}, {{"SANDBOX_AGENT_PORT", ""}})->port == 2468);
  CHECK(contains(complaint({}, {{"SANDBOX_AGENT_PORT", "x"}}), "SANDBOX_AGENT_PORT"));
}

TEST_CASE("a switch in the environment is on for 1, true and yes, and a flag beats it") {
  for (const char* value : {"1", "true", "yes"}) CHECK(parse({}, {{"SANDBOX_AGENT_ALLOW_OPEN", value}})->allow_open);
  for (const char* value : {"0", "false", "no", ""}) CHECK_FALSE(parse({}, {{"SANDBOX_AGENT_ALLOW_OPEN", value}})->allow_open);
  CHECK_FALSE(parse({"--allow-open=0"}, {{"SANDBOX_AGENT_ALLOW_OPEN", "1"}})->allow_open);
  CHECK(contains(complaint({}, {{"SANDBOX_AGENT_ALLOW_OPEN", "on"}}), "SANDBOX_AGENT_ALLOW_OPEN"));
}

TEST_CASE("a token from the environment is kept apart from one on the command line") {
  const Settings both = parse({"--token=flag"}, {{"SANDBOX_AGENT_TOKEN", "env"}}).value();
  CHECK(both.token == "flag");
  CHECK(both.environment_token.empty());
  const Settings environment = parse({}, {{"SANDBOX_AGENT_TOKEN", "env"}}).value();
  CHECK(environment.token.empty());
  CHECK(environment.environment_token == "env");
}

TEST_CASE("what stock scripts pass is accepted") {
  CHECK(parse({"--host", "127.0.0.1", "--port", "0", "--token", "t", "--no-telemetry"}).has_value());
}

TEST_CASE("the limits in force carry the names of their flags in one word") {
  Settings settings;
  settings.instances.ring.max_bytes = 12;
  settings.http.heartbeat = Millis(7);
  const auto limits = limits_in_force(settings);
  CHECK(limits.at("ringBytes") == 12);
  CHECK(limits.at("heartbeatMs") == 7);
  CHECK(limits.at("requestTimeoutMs") == 0);
  CHECK_FALSE(limits.contains("port"));
}

TEST_CASE("a flag beats its variable, even one that makes no sense") {
  const auto nonsense = [](std::string_view name) -> std::optional<std::string> {
    return name == "SANDBOX_AGENT_PORT" ? std::optional("abc") : std::nullopt;
  };
  constexpr std::string_view flags[] = {"--port", "1234"};
  CHECK(parse_settings(flags, nonsense)->port == 1234);
  const auto without = parse_settings({}, nonsense);
  CHECK(without.error().detail.find("SANDBOX_AGENT_PORT is 'abc'; expected a number up to 65535") != std::string::npos);
}

}  // namespace sa
