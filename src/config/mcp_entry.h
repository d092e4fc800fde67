// An MCP server as it is configured: a local program or a remote address. Values; pure functions.
#pragma once

#include "base/shape.h"
#include "config/entry_kind.h"

namespace sa {

enum class McpLocalType : std::uint8_t { local };
enum class McpRemoteType : std::uint8_t { remote };
enum class McpTransport : std::uint8_t { http, sse };

template <>
struct Words<McpLocalType> {
  static constexpr std::string_view all[] = {"local"};
};
template <>
struct Words<McpRemoteType> {
  static constexpr std::string_view all[] = {"remote"};
};
template <>
struct Words<McpTransport> {
  static constexpr std::string_view all[] = {"http", "sse"};
};

struct McpLocal {
  McpLocalType type = McpLocalType::local;
  std::variant<std::string, std::vector<std::string>> command;
  std::optional<std::vector<std::string>> args;
  std::optional<std::map<std::string, std::string>> env;
  std::optional<bool> enabled;
  std::optional<std::uint64_t> timeout_ms;
  std::optional<std::string> cwd;
};

template <>
struct Shape<McpLocal> {
  using E = McpLocal;
  static constexpr std::string_view name = "McpLocalServer";
  static constexpr std::string_view help = "An MCP server that is a program.";
  static constexpr std::tuple fields{
      Field{"type", &E::type, "Which of the two this is. 'stdio' is taken too."},
      Field{"command", &E::command, "The program: not blank, kept as written; a list begins with it."},
      Field{"args", &E::args, "Its arguments."},
      Field{"env", &E::env, "Variables added to its environment."},
      Field{"enabled", &E::enabled, "Whether it is to be used."},
      Field{"timeoutMs", &E::timeout_ms, "How long to wait for it, in milliseconds."},
      Field{"cwd", &E::cwd, "The directory it runs in."},
  };
  static constexpr FieldAlias aliases[] = {{"environment", "env"}, {"timeout", "timeoutMs"}};
};

struct McpOauth {
  std::optional<std::string> client_id;
  std::optional<std::string> client_secret;
  std::optional<std::string> scope;
};

template <>
struct Shape<McpOauth> {
  static constexpr std::string_view name = "McpOauth";
  static constexpr std::string_view help = "How to sign in to a remote MCP server.";
  static constexpr std::tuple fields{
      Field{"clientId", &McpOauth::client_id, "The registered client."},
      Field{"clientSecret", &McpOauth::client_secret, "Its secret."},
      Field{"scope", &McpOauth::scope, "What to ask permission for."},
  };
};

struct McpRemote {
  McpRemoteType type = McpRemoteType::remote;
  std::string url;
  std::optional<std::map<std::string, std::string>> headers;
  std::optional<std::string> bearer_token_env_var;
  std::optional<std::map<std::string, std::string>> env_headers;
  std::optional<std::variant<bool, McpOauth>> oauth;
  std::optional<bool> enabled;
  std::optional<std::uint64_t> timeout_ms;
  std::optional<McpTransport> transport;
};

template <>
struct Shape<McpRemote> {
  using E = McpRemote;
  static constexpr std::string_view name = "McpRemoteServer";
  static constexpr std::string_view help = "An MCP server behind a URL.";
  static constexpr std::tuple fields{
      Field{"type", &E::type, "Which of the two this is. 'http' and 'sse' are taken too and say the transport as well."},
      Field{"url", &E::url, "Where it is: not blank."},
      Field{"headers", &E::headers, "Header fields to send."},
      Field{"bearerTokenEnvVar", &E::bearer_token_env_var, "The variable that holds its bearer token."},
      Field{"envHeaders", &E::env_headers, "Header fields to send, each with the variable that holds its value."},
      Field{"oauth", &E::oauth, "Whether to sign in, or how."},
      Field{"enabled", &E::enabled, "Whether it is to be used."},
      Field{"timeoutMs", &E::timeout_ms, "How long to wait for it, in milliseconds."},
      Field{"transport", &E::transport, "How messages travel."},
  };
  static constexpr FieldAlias aliases[] = {
      {"bearer_token_env_var", "bearerTokenEnvVar"}, {"env_http_headers", "envHeaders"}, {"timeout", "timeoutMs"}};
};

using McpEntry = std::variant<McpLocal, McpRemote>;

template <>
struct Shape<McpEntry> {
  static constexpr std::string_view name = "McpServerConfig";
  static constexpr std::string_view help = "An MCP server: a local program or a remote address.";
};

// From any accepted spelling. unprocessable, with `field`, when the shape is wrong or two spellings contradict each other.
Result<McpEntry> read_mcp_entry(boost::json::value entry);

extern const EntryKind mcp_entries;

}  // namespace sa
