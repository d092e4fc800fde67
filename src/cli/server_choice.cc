#include "cli/server_choice.h"

#include <fmt/format.h>

#include "cli/environment.h"
#include "daemon/token.h"

namespace sa {
namespace {

std::string endpoint_of(const Invocation& given) {
  std::string url = given.value("--endpoint");
  if (url.empty()) url = from_environment("SANDBOX_AGENT_URL").value_or("");
  while (url.ends_with('/')) url.pop_back();
  return url;
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
    return token;
  }
  return from_environment("SANDBOX_AGENT_TOKEN").value_or("");
}

// The state of a daemon that was named by its address, if it is one of this machine.
std::optional<ServerState> local_at(const std::string& url) {
  for (const ServerState& state : known_servers())
    if (state.url == url) return state;
  return std::nullopt;
}

}  // namespace

bool names_server(const Invocation& given) { return !endpoint_of(given).empty(); }

Outcome<ChosenServer> choose_server(Invocation& given) {
  const std::string url = endpoint_of(given);
  TRY(std::string token, given_token(given));
  std::optional<ServerState> local = url.empty() ? std::nullopt : local_at(url);
  if (url.empty()) {
    TRY(local, local_server());
  }
  if (token.empty() && local && !local->no_token) {
    TRY(const ServerAddress address, address_of(*local));
    token = address.token;
  }
  return ChosenServer{{url.empty() ? local->url : url, std::move(token)}, std::move(local)};
}

}  // namespace sa
