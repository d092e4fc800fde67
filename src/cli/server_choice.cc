#include "cli/server_choice.h"

#include <fmt/format.h>

#include "cli/environment.h"
#include "daemon/token.h"
#include "io/url_parts.h"

namespace sa {
namespace {

struct NamedServer {
  std::string url;     // empty: none is named
  std::string origin;  // who named it
};

NamedServer endpoint_of(const Invocation& given) {
  NamedServer endpoint{given.value("--endpoint"), "--endpoint"};
  if (endpoint.url.empty() && !given.has("--endpoint"))
    endpoint = {from_environment("SANDBOX_AGENT_URL").value_or(""), "SANDBOX_AGENT_URL"};
  while (endpoint.url.size() > 1 && endpoint.url.ends_with('/')) endpoint.url.pop_back();
  return endpoint;
}

// What was given; empty when nothing was.
Outcome<std::string> given_token(Invocation& given) {
  if (const std::string file = given.value("--token-file"); !file.empty()) {
    auto token = read_token_file(file);
    if (!token) return failed({.exit = Exit::token, .what = token.error().detail, .what_to_do = "another --token-file"});
    return *token;
  }
  if (const std::string token = given.value("--token"); !token.empty()) {
    given.console().warn("--token is visible in process lists; --token-file and SANDBOX_AGENT_TOKEN are not");
    return without_blanks(token);
  }
  return without_blanks(from_environment("SANDBOX_AGENT_TOKEN").value_or(""));
}

// The state of a daemon that was named by its address, if it is one of this machine.
std::optional<ServerState> local_at(const std::string& url) {
  const auto wanted = parse_url(url);
  for (const ServerState& state : known_servers()) {
    const auto here = parse_url(state.url);
    const bool same = wanted && here && !wanted->secure && wanted->port == here->port &&
                      (wanted->host == here->host || (is_loopback(wanted->host) && is_loopback(here->host)));
    if (same) return state;
  }
  return std::nullopt;
}

// Among several, people are told which one is meant.
void tell_choice(Console& console, const ServerState& chosen, std::string_view how_to_name_another) {
  const std::size_t count = console.json() ? 0 : known_servers().size();
  if (count > 1)
    console.status(fmt::format("▸ {} daemons run here; this is about {} ({}){}", count, chosen.url,
                               chosen.background ? "in the background" : "in the foreground", how_to_name_another));
}

}  // namespace

Outcome<ServerState> choose_local(Console& console, std::string_view how_to_name_another) {
  TRY(ServerState chosen, local_server());
  tell_choice(console, chosen, how_to_name_another);
  return chosen;
}

bool names_server(const Invocation& given) { return given.has("--endpoint") || !endpoint_of(given).url.empty(); }

Outcome<ChosenServer> choose_server(Invocation& given) {
  const NamedServer endpoint = endpoint_of(given);
  const bool named = names_server(given);
  if (named && !parse_url(endpoint.url))
    return failed({.exit = Exit::usage,
                   .what = fmt::format("'{}' from {} is not an address", endpoint.url, endpoint.origin),
                   .what_to_do = "one such as http://127.0.0.1:2468"});
  TRY(std::string token, given_token(given));
  std::optional<ServerState> local;
  if (named) {
    local = local_at(endpoint.url);
  } else {
    TRY(local, choose_local(given.console(), "   another: --endpoint URL"));
  }
  if (token.empty() && local && !local->no_token) {
    TRY(const ServerAddress address, address_of(*local));
    token = address.token;
  }
  return ChosenServer{{named ? endpoint.url : local->url, std::move(token), named ? endpoint.origin : ""}, std::move(local)};
}

}  // namespace sa
