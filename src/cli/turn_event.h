// What `run --json` and `attach --json` print: one event of a turn per line.
#pragma once

#include "api/schema.h"

namespace sa {

enum class TurnEventType : std::uint8_t {
  start,
  prompt,
  text,
  thought,
  tool,
  plan,
  permission,
  question,
  note,
  gap,
  error,
  end
};
template <>
struct Words<TurnEventType> {
  static constexpr std::string_view all[] = {"start",      "prompt",   "text", "thought", "tool",  "plan",
                                             "permission", "question", "note", "gap",     "error", "end"};
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

struct OfferedAnswer {
  std::string id;
  std::string name;
  std::string kind;
};

template <>
struct Shape<OfferedAnswer> {
  static constexpr std::string_view name = "OfferedAnswer";
  static constexpr std::string_view help = "An answer that a permission request offers.";
  static constexpr std::tuple fields{
      Field{"optionId", &OfferedAnswer::id, "What is sent to the agent."},
      Field{"name", &OfferedAnswer::name, "The agent's words for it."},
      Field{"kind", &OfferedAnswer::kind, "allow_once, allow_always, reject_once or reject_always."},
  };
};

// A JSON object of the agent's, as text.
struct ForeignObject {
  std::string json;
};
inline void append_json(std::string& out, const ForeignObject& object) { out += object.json; }

template <>
struct SchemaOfType<ForeignObject> : SchemaOfType<AnyObject> {};

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
  std::optional<std::vector<OfferedAnswer>> options{};
  std::optional<ForeignObject> tool_call{};
  std::optional<std::string> answer{};
  std::optional<ForeignObject> request{};
  std::optional<std::string> stop_reason{};
  std::optional<std::int64_t> duration_ms{};
  std::optional<std::int64_t> tools{};
  std::optional<std::int64_t> tokens{};
  std::optional<std::int64_t> context_tokens{};
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
      Field{"text", &D::text,
            "text, thought: a piece of it. prompt (attach): all of it. note: a sentence. question: what the agent asks. "
            "gap: what of the agent's messages was lost. error (attach): why the turn failed."},
      Field{"toolCallId", &D::tool_call_id, "tool, permission: which tool call."},
      Field{"title", &D::title, "tool, permission: what it does, in words."},
      Field{"kind", &D::kind, "tool: read, edit, execute and so on. permission: the kind of the chosen option."},
      Field{"status", &D::status, "tool: pending, in_progress, completed or failed."},
      Field{"steps", &D::steps, "plan: all of its steps."},
      Field{"options", &D::options, "permission: the answers that are offered, in the agent's order."},
      Field{"toolCall", &D::tool_call, "permission: all that the agent has said of the tool call, as ACP has it."},
      Field{"answer", &D::answer, "permission: the option that was chosen, or 'cancelled'; absent while it is open."},
      Field{"request", &D::request, "question: the parameters of elicitation/create, with the form's schema."},
      Field{"stopReason", &D::stop_reason, "end: why the turn ended, in ACP's words."},
      Field{"durationMs", &D::duration_ms, "end: how long the turn took; absent when its beginning was not seen."},
      Field{"tools", &D::tools, "end: how many tools were used."},
      Field{"tokens", &D::tokens, "end: how many tokens the turn used, when the agent says so."},
      Field{"contextTokens", &D::context_tokens, "end: how many tokens the context holds now, when the agent says so."},
  };
};

}  // namespace sa
