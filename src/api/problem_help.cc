#include "api/problem_help.h"

#include <utility>

namespace sa {

ProblemHelp problem_help(ErrorCode code) {
  using enum ErrorCode;
  switch (code) {
    case invalid_request:
      return {
          "The request cannot be understood: malformed HTTP, a body that is no JSON or no JSON-RPC message, a parameter that "
          "is missing or has no such value, a path that is none, an archive that is broken or leads out of its directory. Also "
          "the first POST to an id without `agent`.",
          "Mend what `detail` names. The same request fails again.", "field path"};
    case unprocessable:
      return {"The body is JSON, but not of the shape that is asked for.", "Mend the member that `field` names.", "field"};
    case unsupported_agent:
      return {"No agent has this id or alias.",
              "Take one of `suggestions` or of `GET /v1/agents`; bring your own with `--agent` or a manifest.",
              "agent suggestions"};
    case token_missing:
      return {"The server has a token and the request has none.", "Send `Authorization: Bearer <token>`.", ""};
    case token_invalid:
      return {"The request has another token than the server.",
              "Take the one the server was started with; a daemon on this machine keeps it for the command line.", ""};
    case forbidden:
      return {
          "The `Host` or `Origin` is not one this server answers for; without a token, a picture, frame or link of another web "
          "page; the path leads out of `--fs-root`; or the daemon's user may not do this with the file.",
          "For a web page on another origin: `--cors-allow-origin`; for another host name: `--allow-host`; for a file: its "
          "permissions, or a path below the root.",
          ""};
    case not_found:
      return {"There is no such route, instance, agent, file or entry.",
              "`resource` and `id` say what is missing. An instance begins with a POST that names its agent.",
              "resource id suggestions"};
    case agent_not_installed:
      return {"The agent is not installed, and the server runs with `--require-preinstall`.",
              "Install it before: `sandbox-agent agents install`, or the install route.", "agent"};
    case method_not_allowed:
      return {"The path exists, but not with this method.", "Take one of those in the answer's `Allow` header.", ""};
    case not_acceptable:
      return {"`Accept` does not allow what this route answers.", "Leave `Accept` out, or name the route's media type.", ""};
    case request_timeout:
      return {
          "The head of the request took longer than `--head-timeout-ms`, or its body stood still for longer than "
          "`--body-timeout-ms`.",
          "Send it again, without pauses. Nothing of it was done; of an archive, whole entries were.", ""};
    case conflict:
      return {
          "It contradicts what is there: another agent runs under this id, a request with this id is still in flight, the "
          "target exists, a directory is not empty, something is or is not a directory, somebody deleted or changed it "
          "meanwhile.",
          "`detail` says which. Look at the present state, then decide; the same request may fail again.", ""};
    case config_corrupt:
      return {"The file in which the entries of this directory are kept is not what it should be. It is never overwritten.",
              "Repair or remove the file that `path` names.", "path"};
    case removed:
      return {"This interface existed in earlier versions.", "Use `replacement`; [CHANGELOG.md](../../CHANGELOG.md) says how.",
              "replacement"};
    case precondition_failed:
      return {"`If-Match`, `If-None-Match` or `If-Unmodified-Since` does not fit the file as it is now.",
              "Read the file again with its `ETag`, apply the change to that, write again.", ""};
    case payload_too_large:
      return {"The body, what an archive unpacks to, or a config file is larger than allowed.",
              "Send less, or raise the limit: [settings.md](settings.md).", "limit"};
    case uri_too_long: return {"The URL alone does not fit into `--max-head-bytes`.", "Send a shorter one.", "limit"};
    case unsupported_media_type:
      return {"`Content-Type` is missing or is not what this route takes.",
              "`application/json` for JSON, `application/x-tar` for archives, however they are compressed.", ""};
    case range_not_satisfiable:
      return {"`Range` asks for bytes the file does not have.", "`Content-Range` of the answer has the file's size.", ""};
    case header_too_large:
      return {"The head of the request does not fit into `--max-head-bytes`.", "Send fewer or shorter headers.", "limit"};
    case install_failed:
      return {
          "An agent could not be downloaded, installed or verified, or does not exist for this platform. What was installed "
          "before still works.",
          "`cause` and `stderr` say why; `sandbox-agent doctor` says what this machine lacks.", "agent cause command stderr"};
    case internal:
      return {"Something the daemon did not expect, such as a failing disk. The log has a line about it.",
              "Look at the log; report it if it is not the machine.", ""};
    case agent_process_exited:
      return {"The agent's process ended, by itself or by DELETE, before it answered; or it had ended before the POST.",
              "`exitCode` or `signal` and `stderr` say how. DELETE the instance and POST with `agent` to start another.",
              "agent exitCode signal stderr"};
    case agent_spawn_failed:
      return {"The agent's program could not be started.",
              "Check that it exists and is executable, and that processes are left.", "agent"};
    case agent_io_failed:
      return {"The agent closed its input or output while it lived, or wrote a line over `--max-line-bytes`. It was ended.",
              "It is the agent's fault: look at `stderr`. DELETE the instance and start another.", "agent stderr"};
    case overloaded:
      return {
          "A bound is reached (instances, requests in flight, bytes that wait for an agent, archives at a time), the system is "
          "short of resources, another program holds a lock, or the server is shutting down.",
          "Try again after `Retry-After` seconds; `detail` names the bound.", ""};
    case timeout:
      return {"The agent did not answer within `--request-timeout-ms`. It still works on it.",
              "The answer will be on the stream. For long turns send `Prefer: respond-async`.", ""};
    case no_space:
      return {"The disk or the quota is full. Nothing half written is left.", "Make room, then send it again.", ""};
  }
  std::unreachable();
}

}  // namespace sa
