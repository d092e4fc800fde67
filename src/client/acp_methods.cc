#include "client/acp_methods.h"

#include <algorithm>
#include <boost/json.hpp>

namespace sa {
namespace {

namespace json = boost::json;

using Word = std::string_view;
using Member = AcpMember;
using Kind = AcpKind;
using enum AcpType;

// --- values ---

constexpr Member text[] = {{"text", string}};
constexpr Member data[] = {{"data", string}, {"mimeType", string}};
constexpr Member resource_link[] = {{"name", string}, {"uri", string}};
constexpr Member resource[] = {{"resource", object}};
constexpr Kind content_kinds[] = {
    {"text", text}, {"image", data}, {"audio", data}, {"resource_link", resource_link}, {"resource", resource}};
constexpr AcpShape content_block{.name = "ContentBlock", .tag = "type", .kinds = content_kinds};

constexpr Word plan_priorities[] = {"high", "medium", "low"};
constexpr AcpShape plan_priority{.name = "PlanEntryPriority", .words = plan_priorities};
constexpr Word plan_states[] = {"pending", "in_progress", "completed"};
constexpr AcpShape plan_state{.name = "PlanEntryStatus", .words = plan_states};
constexpr Member plan_entry_members[] = {
    {"content", string}, {"priority", string, &plan_priority}, {"status", string, &plan_state}};
constexpr AcpShape plan_entry{.name = "PlanEntry", .members = plan_entry_members};

constexpr Member command_members[] = {{"name", string}, {"description", string}};
constexpr AcpShape available_command{.name = "AvailableCommand", .members = command_members};

constexpr Member option_members[] = {{"id", string}, {"name", string}};
constexpr Member select_members[] = {{"currentValue", string}, {"options", array}};
constexpr Member boolean_members[] = {{"currentValue", boolean}};
constexpr Kind option_kinds[] = {{"select", select_members}, {"boolean", boolean_members}};
constexpr AcpShape config_option{
    .name = "SessionConfigOption", .members = option_members, .tag = "type", .kinds = option_kinds};

constexpr Member chunk[] = {{"content", object, &content_block}};
constexpr Member new_tool_call[] = {{"toolCallId", string}, {"title", string}};
constexpr Member tool_call[] = {{"toolCallId", string}};
constexpr Member plan[] = {{"entries", array, &plan_entry}};
constexpr Member commands[] = {{"availableCommands", array, &available_command}};
constexpr Member current_mode[] = {{"currentModeId", string}};
constexpr Member config_options[] = {{"configOptions", array, &config_option}};
constexpr Member usage[] = {{"used", integer}, {"size", integer}};
constexpr Member notice[] = {{"severity", string}, {"title", string}};
constexpr Member compaction[] = {{"compactionId", string}, {"status", string}};
constexpr Member compaction_chunk[] = {{"compactionId", string}, {"content", object, &content_block}};
constexpr Kind update_kinds[] = {{"user_message_chunk", chunk},
                                 {"agent_message_chunk", chunk},
                                 {"agent_thought_chunk", chunk},
                                 {"tool_call", new_tool_call},
                                 {"tool_call_update", tool_call},
                                 {"plan", plan},
                                 {"available_commands_update", commands},
                                 {"current_mode_update", current_mode},
                                 {"config_option_update", config_options},
                                 {"session_info_update", {}},
                                 {"usage_update", usage},
                                 {"notice", notice},
                                 {"compaction_update", compaction},
                                 {"compaction_summary_chunk", compaction_chunk}};
constexpr AcpShape session_update{.name = "SessionUpdate", .tag = "sessionUpdate", .kinds = update_kinds};

constexpr Word permission_kinds[] = {"allow_once", "allow_always", "reject_once", "reject_always"};
constexpr AcpShape permission_kind{.name = "PermissionOptionKind", .words = permission_kinds};
constexpr Member permission_option_members[] = {{"optionId", string}, {"name", string}, {"kind", string, &permission_kind}};
constexpr AcpShape permission_option{.name = "PermissionOption", .members = permission_option_members};
constexpr AcpShape tool_call_update{.name = "ToolCallUpdate", .members = tool_call};

constexpr Member selected[] = {{"optionId", string}};
constexpr Kind outcomes[] = {{"cancelled", {}}, {"selected", selected}};
constexpr AcpShape permission_outcome{.name = "RequestPermissionOutcome", .tag = "outcome", .kinds = outcomes};

constexpr Word stop_reasons[] = {"end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"};
constexpr AcpShape stop_reason{.name = "StopReason", .words = stop_reasons};

constexpr Member session_info_members[] = {{"sessionId", string}, {"cwd", string}};
constexpr AcpShape session_info{.name = "SessionInfo", .members = session_info_members};

constexpr const AcpShape* shapes[] = {&content_block,     &plan_priority,    &plan_state,         &plan_entry,
                                      &available_command, &config_option,    &session_update,     &permission_kind,
                                      &permission_option, &tool_call_update, &permission_outcome, &stop_reason,
                                      &session_info};

// --- methods ---

constexpr Member protocol_version[] = {{"protocolVersion", integer}};
constexpr Member method_id[] = {{"methodId", string}};
constexpr Member session[] = {{"sessionId", string}};
constexpr Member new_session[] = {{"cwd", string}, {"mcpServers", array}};
constexpr Member old_session[] = {{"mcpServers", array}, {"cwd", string}, {"sessionId", string}};
constexpr Member resumed_session[] = {{"sessionId", string}, {"cwd", string}};
constexpr Member sessions[] = {{"sessions", array, &session_info}};
constexpr Member set_mode[] = {{"sessionId", string}, {"modeId", string}};
constexpr Member set_option[] = {{"sessionId", string}, {"configId", string}, {"value", any}};
constexpr Member prompt[] = {{"sessionId", string}, {"prompt", array, &content_block}};
constexpr Member turn_end[] = {{"stopReason", string, &stop_reason}};
constexpr Member update[] = {{"sessionId", string}, {"update", object, &session_update}};
constexpr Member permission[] = {
    {"sessionId", string}, {"toolCall", object, &tool_call_update}, {"options", array, &permission_option}};
constexpr Member permission_answer[] = {{"outcome", object, &permission_outcome}};
constexpr Member write_file[] = {{"sessionId", string}, {"path", string}, {"content", string}};
constexpr Member read_file[] = {{"sessionId", string}, {"path", string}};
constexpr Member file_content[] = {{"content", string}};
constexpr Member new_terminal[] = {{"sessionId", string}, {"command", string}};
constexpr Member terminal_id[] = {{"terminalId", string}};
constexpr Member terminal[] = {{"sessionId", string}, {"terminalId", string}};
constexpr Member terminal_output[] = {{"output", string}, {"truncated", boolean}};
constexpr Member elicitation[] = {{"message", string}, {"mode", string}};
constexpr Member elicitation_answer[] = {{"action", string}};
constexpr Member elicitation_id[] = {{"elicitationId", string}};
constexpr Member request_id[] = {{"requestId", id}};

constexpr auto by_client = AcpCaller::client;
constexpr auto by_agent = AcpCaller::agent;
constexpr auto request = AcpForm::request;
constexpr auto notification = AcpForm::notification;

constexpr AcpMethod methods[] = {
    {"initialize", by_client, request, protocol_version, protocol_version},
    {"authenticate", by_client, request, method_id, {}},
    {"logout", by_client, request, {}, {}},
    {"session/new", by_client, request, new_session, session},
    {"session/load", by_client, request, old_session, {}},
    {"session/list", by_client, request, {}, sessions},
    {"session/delete", by_client, request, session, {}},
    {"session/resume", by_client, request, resumed_session, {}},
    {"session/close", by_client, request, session, {}},
    {"session/set_mode", by_client, request, set_mode, {}},
    {"session/set_config_option", by_client, request, set_option, config_options},
    {"session/prompt", by_client, request, prompt, turn_end},
    {"session/cancel", by_client, notification, session, {}},
    {"session/update", by_agent, notification, update, {}},
    {"session/request_permission", by_agent, request, permission, permission_answer},
    {"fs/write_text_file", by_agent, request, write_file, {}},
    {"fs/read_text_file", by_agent, request, read_file, file_content},
    {"terminal/create", by_agent, request, new_terminal, terminal_id},
    {"terminal/output", by_agent, request, terminal, terminal_output},
    {"terminal/wait_for_exit", by_agent, request, terminal, {}},
    {"terminal/kill", by_agent, request, terminal, {}},
    {"terminal/release", by_agent, request, terminal, {}},
    {"elicitation/create", by_agent, request, elicitation, elicitation_answer},
    {"elicitation/complete", by_agent, notification, elicitation_id, {}},
    {"$/cancel_request", AcpCaller::either, notification, request_id, {}},
};

// --- the document ---

json::array members_document(std::span<const Member> members) {
  json::array all;
  for (const Member& member : members) {
    json::object row{{"name", member.name}, {"type", word_of(member.type)}};
    if (member.of) row["of"] = member.of->name;
    all.emplace_back(std::move(row));
  }
  return all;
}

json::object shape_document(const AcpShape& shape) {
  json::array kinds;
  for (const Kind& kind : shape.kinds)
    kinds.emplace_back(json::object{{"word", kind.word}, {"members", members_document(kind.members)}});
  return {{"name", shape.name},
          {"members", members_document(shape.members)},
          {"tag", shape.tag},
          {"kinds", std::move(kinds)},
          {"words", json::array(shape.words.begin(), shape.words.end())}};
}

}  // namespace

const AcpMethod* find_acp_method(std::string_view name) {
  const auto* found = std::ranges::find(methods, name, &AcpMethod::name);
  return found == std::end(methods) ? nullptr : found;
}

std::string acp_methods_document() {
  json::array rows;
  for (const AcpMethod& method : methods)
    rows.emplace_back(json::object{{"name", method.name},
                                   {"caller", word_of(method.caller)},
                                   {"form", word_of(method.form)},
                                   {"params", members_document(method.params)},
                                   {"result", members_document(method.result)}});
  json::array values;
  for (const AcpShape* shape : shapes) values.emplace_back(shape_document(*shape));
  return json::serialize(json::object{{"protocolVersion", 1}, {"methods", std::move(rows)}, {"shapes", std::move(values)}});
}

}  // namespace sa
