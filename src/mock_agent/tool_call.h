// One tool call of a turn, from its announcement to its end. Lives in the frame of a scene; when the scene is cut short
// (cancel), it says that the call failed, so that no client shows it as running for ever.
#pragma once

#include <string>
#include <string_view>

#include "mock_agent/rpc.h"

namespace sa::mock {

class Turn;

class ToolCall {
 public:
  // Announces it as pending. `call`: title, kind and what else a tool_call update may hold.
  ToolCall(Turn& turn, const json::object& call);
  ~ToolCall();
  ToolCall(const ToolCall&) = delete;
  ToolCall& operator=(const ToolCall&) = delete;

  void start(const json::object& changes = {}) { report("in_progress", changes); }
  void complete(const json::object& changes = {}) { end("completed", changes); }
  void fail(const json::object& changes = {}) { end("failed", changes); }

  // As session/request_permission wants it.
  const json::object& announced() const { return call_; }

 private:
  void report(std::string_view status, const json::object& changes);
  void end(std::string_view status, const json::object& changes);

  Turn& turn_;
  json::object call_;
  bool ended_ = false;
};

// The `content` of a tool call that is one text.
json::array tool_text(std::string_view text);

}  // namespace sa::mock
