#include "config/mcp_entry.h"

#include "base/shape_read.h"

namespace sa {

// Every word for `type` that is taken.
enum class McpTypeWord : std::uint8_t { local, stdio, remote, http, sse };

template <>
struct Words<McpTypeWord> {
  static constexpr std::string_view all[] = {"local", "stdio", "remote", "http", "sse"};
};

struct McpTyped {
  McpTypeWord type = McpTypeWord::local;
};

template <>
struct Shape<McpTyped> {
  static constexpr std::tuple fields{Field{"type", &McpTyped::type, ""}};
};

namespace {

constexpr JsonPlace document;

std::optional<McpTransport> transport_of(McpTypeWord type) {
  if (type == McpTypeWord::http) return McpTransport::http;
  if (type == McpTypeWord::sse) return McpTransport::sse;
  return std::nullopt;
}

Result<void> check_command(const McpLocal& entry) {
  const JsonPlace place = document.at("command");
  if (const auto* line = std::get_if<std::string>(&entry.command)) {
    if (is_blank(*line)) return fail(misshapen(place, "name a program; it is blank"));
    return {};
  }
  const auto& words = std::get<std::vector<std::string>>(entry.command);
  if (words.empty()) return fail(misshapen(place, "name a program; the list is empty"));
  if (is_blank(words.front())) return fail(misshapen(place.at(0), "name a program; it is blank"));
  return {};
}

Result<McpEntry> read_local(const boost::json::value& entry) {
  TRY(McpLocal local, from_json<McpLocal>(entry));
  if (auto right = check_command(local); !right) return std::unexpected(right.error());
  return local;
}

Result<McpEntry> read_remote(const boost::json::value& entry, std::optional<McpTransport> transport) {
  TRY(McpRemote remote, from_json<McpRemote>(entry));
  if (is_blank(remote.url)) return fail(misshapen(document.at("url"), "name a server; it is blank"));
  if (!transport) return remote;
  if (remote.transport && remote.transport != transport)
    return fail(misshapen(document.at("type"), "be 'remote' beside this 'transport', which it contradicts"));
  remote.transport = transport;
  return remote;
}

Result<std::string> canonical_mcp_entry(const boost::json::value& entry) {
  TRY(const McpEntry read, read_mcp_entry(entry));
  return to_json(read);
}

}  // namespace

Result<McpEntry> read_mcp_entry(boost::json::value entry) {
  TRY(const McpTyped typed, from_json<McpTyped>(entry));
  const bool local = typed.type == McpTypeWord::local || typed.type == McpTypeWord::stdio;
  entry.as_object()["type"] = local ? "local" : "remote";
  return local ? read_local(entry) : read_remote(entry, transport_of(typed.type));
}

const EntryKind mcp_entries{"mcp.json", "mcp server", canonical_mcp_entry};

}  // namespace sa
