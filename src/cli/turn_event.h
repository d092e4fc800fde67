// What `run --json` and `attach --json` print: one event of a turn per line.
#pragma once

#include "base/shape.h"

namespace sa {

enum class TurnEventType : std::uint8_t { start, text, thought, tool, plan, permission, note, end };
template <>
struct Words<TurnEventType> {
  static constexpr std::string_view all[] = {"start", "text", "thought", "tool", "plan", "permission", "note", "end"};
};

struct PlanStep {
  std::string content;
  std::string status;
};

template <>
struct Shape<PlanStep> {
  static constexpr std::string_view name = "PlanStep";
  static constexpr std::string_view help = "A step of the agent's plan.";
  static constexpr std::tuple fields{
      Field{"content", &PlanStep::content, "What is to be done."},
      Field{"status", &PlanStep::status, "pending, in_progress or completed."},
  };
};

struct TurnEvent {
  TurnEventType type = TurnEventType::text;
  std::optional<std::string> agent{};
  std::optional<std::string> server_id{};
  std::optional<std::string> session_id{};
  std::optional<std::string> cwd{};
  std::optional<std::string> text{};
  std::optional<std::string> tool_call_id{};
  std::optional<std::string> title{};
  std::optional<std::string> kind{};
  std::optional<std::string> status{};
  std::optional<std::vector<PlanStep>> steps{};
  std::optional<std::string> answer{};
  std::optional<std::string> stop_reason{};
  std::optional<std::int64_t> duration_ms{};
  std::optional<std::int64_t> tools{};
  std::optional<std::int64_t> tokens{};
};

template <>
struct Shape<TurnEvent> {
  using D = TurnEvent;
  static constexpr std::string_view name = "TurnEvent";
  static constexpr std::string_view help = "One event of a turn. Which members there are depends on its type.";
  static constexpr std::tuple fields{
      Field{"type", &D::type, "What it is. Types may be added."},
      Field{"agent", &D::agent, "start: the agent."},
      Field{"serverId", &D::server_id, "start: the instance it runs in."},
      Field{"sessionId", &D::session_id, "start: the ACP session."},
      Field{"cwd", &D::cwd, "start: the folder it works in."},
      Field{"text", &D::text, "text, thought: a piece of it. note: a sentence."},
      Field{"toolCallId", &D::tool_call_id, "tool, permission: which tool call."},
      Field{"title", &D::title, "tool, permission: what it does, in words."},
      Field{"kind", &D::kind, "tool: read, edit, execute and so on. permission: the kind of the chosen option."},
      Field{"status", &D::status, "tool: pending, in_progress, completed or failed."},
      Field{"steps", &D::steps, "plan: all of its steps."},
      Field{"answer", &D::answer, "permission: the option that was chosen, or 'cancelled'."},
      Field{"stopReason", &D::stop_reason, "end: why the turn ended, in ACP's words."},
      Field{"durationMs", &D::duration_ms, "end: how long the turn took."},
      Field{"tools", &D::tools, "end: how many tools were used."},
      Field{"tokens", &D::tokens, "end: how many tokens, when the agent says so."},
  };
};

}  // namespace sa
