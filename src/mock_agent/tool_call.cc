#include "mock_agent/tool_call.h"

#include "mock_agent/turn.h"

namespace sa::mock {

ToolCall::ToolCall(Turn& turn, const json::object& call) : turn_(turn) {
  const std::string id = "call-" + std::to_string(++turn.session().tool_calls);
  call_ = {{"toolCallId", id}, {"status", "pending"}};
  call_.insert(call.begin(), call.end());

  json::object update = {{"sessionUpdate", "tool_call"}};
  update.insert(call_.begin(), call_.end());
  turn_.update(std::move(update));
}

ToolCall::~ToolCall() {
  if (!ended_) fail();
}

void ToolCall::report(std::string_view status, const json::object& changes) {
  json::object update = {{"sessionUpdate", "tool_call_update"}, {"toolCallId", call_["toolCallId"]}, {"status", status}};
  update.insert(changes.begin(), changes.end());
  turn_.update(std::move(update));
}

void ToolCall::end(std::string_view status, const json::object& changes) {
  ended_ = true;
  report(status, changes);
}

json::array tool_text(std::string_view text) {
  json::array content;
  content.push_back({{"type", "content"}, {"content", {{"type", "text"}, {"text", text}}}});
  return content;
}

}  // namespace sa::mock
