// An agent of a few lines of shell, in the place of the demo agent: what it says in a turn is the test's.
#pragma once

#include "support/cli_home.h"

namespace rig {

// `turn`, in shell, may use: say TEXT; tool and tool_update with members of the tool call t1; ask with more members of it,
// which waits for the answer; update with any update. What it puts into $usage are more members of the turn's result.
inline void put_scripted_agent(CliHome& home, const std::string& turn) {
  std::string script = R"SCRIPT(#!/bin/sh
update() { printf '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":%s}}\n' "$1"; }
say() { update '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"'"$1"'"}}'; }
tool() { update '{"sessionUpdate":"tool_call","toolCallId":"t1",'"$1"'}'; }
tool_update() { update '{"sessionUpdate":"tool_call_update","toolCallId":"t1",'"$1"'}'; }
result() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
ask() {
  printf '{"jsonrpc":"2.0","id":"q","method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"t1"%s},"options":[{"optionId":"yes","name":"Allow once","kind":"allow_once"},{"optionId":"no","name":"Reject","kind":"reject_once"}]}}\n' "$1"
  read -r answer
}
while read -r line; do
  id=$(printf %s "$line" | sed 's/.*"id":\([^,}]*\).*/\1/')
  case $line in
    *'"initialize"'*) result '{"protocolVersion":1,"agentCapabilities":{}}' ;;
    *'"session/new"'*) result '{"sessionId":"s"}' ;;
    *'"session/prompt"'*)
      usage=
      turn
      result '{"stopReason":"end_turn"'"$usage"'}' ;;
  esac
done
)SCRIPT";
  script.insert(script.find("while read"), "turn() {\n" + turn + "\n}\n");
  write_file(home.data() / "bin" / "agent_processes" / "mock-acp", script, true);
  home.set("SANDBOX_AGENT_AGENT=mock");
}

}  // namespace rig
