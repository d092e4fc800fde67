// A home whose commands talk to a daemon of the test, and a conversation that the test itself has there. Main thread only.
#pragma once

#include "support/cli_home.h"

namespace rig {

struct WatchedDaemon {
  Daemon daemon;
  CliHome home;

  explicit WatchedDaemon(std::vector<std::string> flags = {}) : daemon(std::move(flags)) {
    home.set("SANDBOX_AGENT_URL=http://127.0.0.1:" + std::to_string(daemon.port()));
    home.set("SANDBOX_AGENT_TOKEN=" + daemon.token());
  }
};

// With the demo agent, up to an open session.
struct DemoTalk {
  Acp acp;
  std::string session;

  // `abilities`: of the client.
  DemoTalk(const Daemon& daemon, const std::string& id, const std::string& abilities = "{}") : acp(daemon, id, "mock") {
    REQUIRE_EQ(acp.call("initialize", R"({"protocolVersion":1,"clientCapabilities":)" + abilities + "}").status, 200);
    session = text_at(acp.call("session/new", R"({"cwd":"/","mcpServers":[]})").body, "result.sessionId");
  }
  Connection begin_prompt(const std::string& text) {
    return acp.begin_call("session/prompt",
                          R"({"sessionId":")" + session + R"(","prompt":[{"type":"text","text":")" + text + "\"}]}");
  }
  Response prompt(const std::string& text) { return begin_prompt(text).read_response(); }
};

}  // namespace rig
