#include "cli/inspector_link.h"

#include <fmt/format.h>

#include "cli/browser.h"
#include "cli/daemon_document.h"
#include "client/api_call.h"

namespace sa {
namespace {

// With the token, so that a click is enough.
std::string link_to(const ServerAddress& server, const std::string& page) {
  return server.url + "/ui/" + page + (server.token.empty() ? "" : "#token=" + server.token);
}

}  // namespace

Outcome<Exit> show_link(Invocation& given, const UsedServer& server, const LinkTarget& target) {
  TRY_VOID(call_api(server.address, {.target = "/v1/health", .idle_timeout = Millis(5'000)}));
  Console& console = given.console();
  const std::string link = link_to(server.address, target.page);
  const std::string& agent = target.agent;
  if (console.json()) {
    LinkDocument document{.url = server.address.url, .link = link, .started_now = server.fresh};
    if (!agent.empty()) document.agent = agent;
    console.document(to_json(document));
    return Exit::success;
  }
  if (!agent.empty()) console.status(fmt::format("▸ agent: {}   try: sandbox-agent run --agent {} \"hello\"", agent, agent));
  console.line(link);
  if (given.has("--no-open") || !console.status_is_terminal()) return Exit::success;
  console.status(open_in_browser(link) ? "▸ opened in your browser" : "▸ there is no browser here: open the link yourself");
  return Exit::success;
}

}  // namespace sa
