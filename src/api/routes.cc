// The route table. Adding an endpoint is one row here and one handler in the file of its resource.
#include <utility>

#include "api/acp_documents.h"
#include "api/agents_documents.h"
#include "api/endpoint.h"
#include "api/fs_documents.h"
#include "api/handlers.h"
#include "api/health_documents.h"
#include "api/schema.h"
#include "api/status_document.h"
#include "config/mcp_entry.h"
#include "config/skills_entry.h"

namespace sa {
namespace {

using enum ErrorCode;

constexpr std::string_view json_type = "application/json";
constexpr std::string_view events_type = "text/event-stream";
constexpr std::string_view text_type = "text/plain";
constexpr std::string_view html_type = "text/html";
constexpr std::string_view bytes_type = "application/octet-stream";

constexpr QueryParameter file_path{
    .name = "path", .required = true, .may_be_blank = true, .help = "A path below the file root, or an absolute one."};

constexpr QueryParameter agent_config{
    .name = "config",
    .kind = QueryParameter::Kind::flag,
    .help = "Ask installed agents what they offer: each is started for a moment, ten seconds at most."};
constexpr QueryParameter agent_no_cache{
    .name = "no_cache",
    .kind = QueryParameter::Kind::flag,
    .help = "Ask again what was asked before, and the registry if its copy is older than an hour."};

constexpr QueryParameter config_directory{
    .name = "directory",
    .required = true,
    .help = "The directory the entry belongs to. A relative one counts from where the daemon was started."};
constexpr QueryParameter mcp_name{.name = "mcpName", .required = true, .help = "The MCP server's name."};
constexpr QueryParameter skill_name{.name = "skillName", .required = true, .help = "The name of the set of skills."};

std::vector<Endpoint> table() {
  return {
      {.method = "GET",
       .pattern = "/",
       .operation = "getRoot",
       .summary = "What this server is",
       .help = "A browser (Accept prefers text/html) is redirected to the inspector.",
       .access = Access::open,
       .answers = {{200, json_type, "Name, version and where to look", schema_of<RootDocument>},
                   {302, "", "To the inspector", nullptr, {"Location"}}},
       .handle = get_root},
      {.method = "GET",
       .pattern = "/healthz",
       .operation = "getHealthz",
       .summary = "Liveness for probes",
       .help = "Needs no token and reveals nothing.",
       .access = Access::open,
       .answers = {{200, text_type, "\"ok\""}},
       .handle = get_healthz},
      {.method = "GET",
       .pattern = "/v1/health",
       .operation = "getHealth",
       .command = "health",
       .summary = "Health and version",
       .answers = {{200, json_type, "The daemon is up", schema_of<HealthDocument>}},
       .handle = get_health},
      {.method = "GET",
       .pattern = "/v1/status",
       .operation = "getStatus",
       .command = "status",
       .summary = "Counters, memory, limits and platform",
       .answers = {{200, json_type, "The state of the daemon", schema_of<StatusDocument>}},
       .handle = get_status},
      {.method = "GET",
       .pattern = "/v1/openapi.json",
       .operation = "getOpenapi",
       .command = "openapi",
       .summary = "This document",
       .answers = {{200, json_type, "The OpenAPI document", schema_of<AnyObject>}},
       .handle = get_openapi},

      {.method = "GET",
       .pattern = "/v1/acp",
       .operation = "listAcp",
       .command = "acp list",
       .summary = "All instances",
       .answers = {{200, json_type, "The instances, sorted by server id", schema_of<ServerList>}},
       .handle = list_acp},
      {.method = "POST",
       .pattern = "/v1/acp/{server_id}",
       .operation = "postAcp",
       .command = "acp post",
       .summary = "Send one message to the agent",
       .help =
           "The body is one JSON-RPC message and reaches the agent unchanged. A request (it has a method and an id) waits for "
           "the agent's answer; everything else is accepted at once. The first POST to an id starts the agent, and installs it "
           "before when it has to.",
       .body = RequestBody::json,
       .body_limit = BodyLimit::envelope,
       .request = schema_of<AnyEnvelope>,
       .produces = json_type,
       .query = {{.name = "agent", .help = "Which agent to start. Needed on the first POST to an id; must not change later."}},
       .headers = {{"Prefer", "string",
                    "\"respond-async\": answer 202 at once and let the agent's answer come on the stream only."}},
       .answers = {{200,
                    json_type,
                    "The agent's answer, unchanged; its own JSON-RPC errors too",
                    schema_of<AnyEnvelope>,
                    {"Acp-Event-Id", "Acp-Instance-Id"}},
                   {202, "", "Forwarded; no answer is expected here", nullptr, {"Acp-Instance-Id", "Preference-Applied"}}},
       .errors = {unsupported_agent, conflict, agent_not_installed, install_failed, no_space, agent_process_exited,
                  agent_spawn_failed, agent_io_failed, overloaded, timeout},
       .problem_headers = {{"Acp-Instance-Id", {409, 502, 503, 504}}},
       .handle = post_acp},
      {.method = "GET",
       .pattern = "/v1/acp/{server_id}",
       .operation = "getAcp",
       .command = "acp stream",
       .summary = "The agent's messages as events",
       .help =
           "Server-sent events. `event: message` carries one message of the agent and its number as `id`. `event: gap` says "
           "which numbers can no longer be had: {\"from\", \"to\"}, with `include=client` also how many of the clients' "
           "messages ({\"clientMessages\"}), or "
           "{\"reason\": \"unknown_position\"}. The stream "
           "stays open until the instance is deleted.",
       .produces = events_type,
       .query = {{.name = "include",
                  .words = {"client"},
                  .help = "\"client\": what clients sent to the agent appears too, as `event: client`."}},
       .headers = {{"Last-Event-ID", "integer", "Go on behind this number; without it everything kept is sent."},
                   {"Acp-Instance-Id", "string", "The instance this position belongs to; another one now gives a gap."}},
       .answers = {{200, events_type, "The stream", nullptr, {"Acp-Instance-Id"}}},
       .errors = {not_found, overloaded},
       .handle = get_acp},
      {.method = "DELETE",
       .pattern = "/v1/acp/{server_id}",
       .operation = "deleteAcp",
       .command = "acp close",
       .summary = "End the instance and its process tree",
       .help = "The id is free at once. Unknown ids are fine.",
       .answers = {{204, "", "Nothing of it is left"}},
       .handle = delete_acp},
      {.method = "GET",
       .pattern = "/v1/acp/{server_id}/stderr",
       .operation = "getAcpStderr",
       .command = "acp stderr",
       .summary = "The tail of the agent's stderr",
       .help = "Empty while the instance is being started.",
       .answers = {{200, text_type, "The last lines it wrote"}},
       .errors = {not_found, overloaded},
       .handle = get_acp_stderr},

      {.method = "GET",
       .pattern = "/v1/agents",
       .operation = "listAgents",
       .command = "agents list",
       .summary = "All agents",
       .query = {agent_config, agent_no_cache},
       .answers = {{200, json_type, "The agents", schema_of<AgentList>}},
       .handle = list_agents},
      {.method = "GET",
       .pattern = "/v1/agents/{agent}",
       .operation = "getAgent",
       .command = "agents get",
       .summary = "What is known of an agent",
       .query = {agent_config, agent_no_cache},
       .answers = {{200, json_type, "The agent", schema_of<AgentDocument>}},
       .errors = {not_found},
       .handle = get_agent},
      {.method = "POST",
       .pattern = "/v1/agents/{agent}/install",
       .operation = "installAgent",
       .command = "agents install",
       .summary = "Install an agent",
       .help = "What is installed already is left alone. With 'Accept: text/event-stream' the answer is a stream: `event: "
               "progress` "
               "{\"phase\", \"bytes\"?, \"total\"?} as it goes, then `event: done` with the answer, or `event: problem`. A "
               "client that "
               "leaves does not end the install.",
       .body = RequestBody::optional_json,
       .request = schema_of<InstallRequest>,
       .answers = {{200, json_type, "It is installed", schema_of<InstalledDocument>}, {200, events_type, "How it goes"}},
       .errors = {unsupported_agent, unprocessable, conflict, install_failed, overloaded, no_space},
       .handle = install_agent},
      {.method = "DELETE",
       .pattern = "/v1/agents/{agent}/install",
       .operation = "removeAgent",
       .command = "agents remove",
       .summary = "Remove what was installed of an agent",
       .help = "What was put there by hand stays. One that is not installed is fine; an install under way is called off.",
       .answers = {{204, "", "It is not installed"}},
       .errors = {unsupported_agent, conflict, overloaded},
       .handle = remove_agent},

      {.method = "GET",
       .pattern = "/v1/fs/entries",
       .operation = "listFsEntries",
       .command = "fs entries",
       .summary = "The entries of a directory",
       .help = "Links are not followed. A long list is sent while it is made.",
       .query = {{.name = "path", .help = "The directory; without it the file root."}},
       .answers = {{200, json_type, "Sorted by name", schema_of<std::vector<EntryDocument>>}},
       .errors = {not_found, conflict, overloaded},
       .handle = get_fs_entries},
      {.method = "GET",
       .pattern = "/v1/fs/stat",
       .operation = "statFs",
       .command = "fs stat",
       .summary = "What is at a path",
       .help = "Links are followed.",
       .query = {file_path},
       .answers = {{200, json_type, "What is there", schema_of<StatDocument>}},
       .errors = {not_found, conflict, overloaded},
       .handle = get_fs_stat},
      {.method = "GET",
       .pattern = "/v1/fs/file",
       .operation = "readFsFile",
       .command = "fs read",
       .summary = "The bytes of a file",
       .help = "A file that becomes shorter meanwhile cuts the connection.",
       .query = {file_path},
       .headers = {{"Range", "string", "One range of bytes, such as \"bytes=0-99\"."},
                   {"If-Range", "string", "The ETag or date for which Range counts; else the whole file is sent."},
                   {"If-None-Match", "string", "ETags of copies the client has: 304 when one is still good."},
                   {"If-Modified-Since", "string",
                    "The date of the client's copy, where it has no ETag: 304 when it is still good. A date of this very "
                    "second does not count, nor does it for If-Range."},
                   {"If-Match", "string", "ETags of the versions that are meant: 412 for any other."},
                   {"If-Unmodified-Since", "string", "Without If-Match: 412 when the file is newer than this date."}},
       .answers = {{200, bytes_type, "The file", nullptr, {"ETag", "Last-Modified", "Accept-Ranges"}},
                   {206, bytes_type, "The part", nullptr, {"ETag", "Last-Modified", "Accept-Ranges", "Content-Range"}},
                   {304, "", "The client's copy is still good", nullptr, {"ETag", "Last-Modified"}}},
       .errors = {not_found, conflict, precondition_failed, range_not_satisfiable, overloaded},
       .handle = get_fs_file},
      {.method = "PUT",
       .pattern = "/v1/fs/file",
       .operation = "writeFsFile",
       .command = "fs write",
       .summary = "Write a file",
       .help =
           "Makes the directories it lacks. Readers see the old or the new content, never a part; an upload that breaks leaves "
           "nothing. An existing file keeps its mode; a link is followed.",
       .body = RequestBody::bytes,
       .body_limit = BodyLimit::file,
       .query = {file_path},
       .headers = {{"If-Match", "string", "Only when the file has one of these ETags, or exists (\"*\"); else 412."},
                   {"If-Unmodified-Since", "string",
                    "Without If-Match: only when the file is not newer than this date; else 412."},
                   {"If-None-Match", "string", "\"*\": only when there is no file yet; else 412."}},
       .answers = {{200, json_type, "It is written", schema_of<WrittenDocument>, {"ETag"}}},
       .errors = {not_found, conflict, precondition_failed, no_space, overloaded},
       .handle = put_fs_file},
      {.method = "DELETE",
       .pattern = "/v1/fs/entry",
       .operation = "deleteFsEntry",
       .command = "fs delete",
       .summary = "Delete a file or directory",
       .help = "A link is deleted, not its target.",
       .query = {file_path,
                 {.name = "recursive",
                  .kind = QueryParameter::Kind::flag,
                  .help = "Delete a directory with all below it; else one that is not empty is a conflict."}},
       .answers = {{200, json_type, "It is gone", schema_of<PathDocument>}},
       .errors = {not_found, conflict, overloaded},
       .handle = delete_fs_entry},
      {.method = "POST",
       .pattern = "/v1/fs/mkdir",
       .operation = "mkdirFs",
       .command = "fs mkdir",
       .summary = "Make a directory and those above it",
       .help = "One that exists is fine.",
       .query = {file_path},
       .answers = {{200, json_type, "It is there", schema_of<PathDocument>}},
       .errors = {not_found, conflict, no_space, overloaded},
       .handle = post_fs_mkdir},
      {.method = "POST",
       .pattern = "/v1/fs/move",
       .operation = "moveFs",
       .command = "fs move",
       .summary = "Move or rename a file or directory",
       .help = "Also to another device. The source stays until its copy is complete; 409 when somebody writes to it meanwhile.",
       .body = RequestBody::json,
       .request = schema_of<MoveRequest>,
       .answers = {{200, json_type, "It is moved", schema_of<MovedDocument>}},
       .errors = {unprocessable, not_found, conflict, no_space, overloaded},
       .handle = post_fs_move},
      {.method = "POST",
       .pattern = "/v1/fs/upload-batch",
       .operation = "uploadFsBatch",
       .command = "fs upload-batch",
       .summary = "Unpack a tar archive into a directory",
       .help =
           "Plain, gzip, bzip2 or zstd, told by its content. Modes, times and links are kept, owners are not. An entry that "
           "would lie "
           "outside of the directory, or on a way through a link in it, is refused before anything of it is written; what came "
           "before it stays.",
       .body = RequestBody::tar,
       .body_limit = BodyLimit::archive,
       .query = {{.name = "path", .help = "The directory, made when it is missing; without it the file root."}},
       .answers = {{200, json_type, "It is unpacked", schema_of<UnpackedDocument>}},
       .errors = {not_found, conflict, no_space, overloaded},
       .handle = post_fs_upload_batch},

      {.method = "GET",
       .pattern = "/v1/config/mcp",
       .operation = "getMcpConfig",
       .command = "config mcp get",
       .summary = "An MCP server of a directory",
       .query = {config_directory, mcp_name},
       .answers = {{200, json_type, "The entry in canonical spelling", schema_of<McpEntry>}},
       .errors = {not_found, conflict, config_corrupt, overloaded},
       .handle = get_mcp_config},
      {.method = "PUT",
       .pattern = "/v1/config/mcp",
       .operation = "putMcpConfig",
       .command = "config mcp put",
       .summary = "Configure an MCP server for a directory",
       .help = "Kept in .sandbox-agent/config/mcp.json of the directory; other entries stay as they are. Other spellings that "
               "are in use are taken and become the ones documented here.",
       .body = RequestBody::json,
       .request = schema_of<McpEntry>,
       .query = {config_directory, mcp_name},
       .answers = {{204, "", "It is kept"}},
       .errors = {unprocessable, conflict, config_corrupt, overloaded, no_space},
       .handle = put_mcp_config},
      {.method = "DELETE",
       .pattern = "/v1/config/mcp",
       .operation = "deleteMcpConfig",
       .command = "config mcp delete",
       .summary = "Forget an MCP server of a directory",
       .help = "An unknown one is fine.",
       .query = {config_directory, mcp_name},
       .answers = {{204, "", "It is not there"}},
       .errors = {conflict, config_corrupt, overloaded, no_space},
       .handle = delete_mcp_config},
      {.method = "GET",
       .pattern = "/v1/config/skills",
       .operation = "getSkillsConfig",
       .command = "config skills get",
       .summary = "A set of skills of a directory",
       .query = {config_directory, skill_name},
       .answers = {{200, json_type, "The entry in canonical spelling", schema_of<SkillsEntry>}},
       .errors = {not_found, conflict, config_corrupt, overloaded},
       .handle = get_skills_config},
      {.method = "PUT",
       .pattern = "/v1/config/skills",
       .operation = "putSkillsConfig",
       .command = "config skills put",
       .summary = "Configure a set of skills for a directory",
       .help = "Kept in .sandbox-agent/config/skills.json of the directory; other entries stay as they are.",
       .body = RequestBody::json,
       .request = schema_of<SkillsEntry>,
       .query = {config_directory, skill_name},
       .answers = {{204, "", "It is kept"}},
       .errors = {unprocessable, conflict, config_corrupt, overloaded, no_space},
       .handle = put_skills_config},
      {.method = "DELETE",
       .pattern = "/v1/config/skills",
       .operation = "deleteSkillsConfig",
       .command = "config skills delete",
       .summary = "Forget a set of skills of a directory",
       .help = "An unknown one is fine.",
       .query = {config_directory, skill_name},
       .answers = {{204, "", "It is not there"}},
       .errors = {conflict, config_corrupt, overloaded, no_space},
       .handle = delete_skills_config},

      {.method = "GET",
       .pattern = "/ui",
       .operation = "redirectToUi",
       .summary = "To the inspector",
       .access = Access::open,
       .answers = {{308, "", "To /ui/", nullptr, {"Location"}}},
       .handle = redirect_to_ui},
      {.method = "GET",
       .pattern = "/ui/{path…}",
       .operation = "getUi",
       .summary = "The inspector",
       .help = "A path that is no file is a place within the page, and answered with the page; below assets/ it is missing.",
       .access = Access::open,
       .headers = {{"If-None-Match", "string", "ETags of copies the client has: 304 when one is still good."}},
       .answers = {{200, html_type, "The page, or a file of it", nullptr, {"ETag"}},
                   {304, "", "The client's copy is still good", nullptr, {"ETag"}}},
       .errors = {not_found},
       .handle = get_ui},

      {.method = "*",
       .pattern = "/v1/rpc",
       .operation = "removedRpc",
       .summary = "Removed",
       .errors = {removed},
       .handle = answer_removed},
      {.method = "*",
       .pattern = "/v1/sessions",
       .operation = "removedSessions",
       .summary = "Removed",
       .errors = {removed},
       .handle = answer_removed},
      {.method = "*",
       .pattern = "/v1/sessions/{path…}",
       .operation = "removedSessionsBelow",
       .summary = "Removed",
       .errors = {removed},
       .handle = answer_removed},
  };
}

std::uint64_t bytes_of(BodyLimit limit, const Settings& settings) {
  switch (limit) {
    case BodyLimit::json: return settings.http.max_json_bytes;
    case BodyLimit::envelope: return settings.http.max_envelope_bytes;
    case BodyLimit::file: return settings.files.max_file_bytes;
    case BodyLimit::archive: return settings.files.max_archive_bytes;
  }
  std::unreachable();
}

}  // namespace

std::span<const Endpoint> endpoints() {
  static const std::vector<Endpoint> rows = table();
  return rows;
}

std::vector<Route> routes(Api& api) {
  std::vector<Route> all;
  for (const Endpoint& row : endpoints()) {
    auto handler = [&api, handle = row.handle](Request& request) { return handle(api, request); };
    all.push_back({row.method, row.pattern, row.operation, row.access, row.body, bytes_of(row.body_limit, api.settings),
                   row.produces, std::move(handler), row.query});
  }
  return all;
}

}  // namespace sa
