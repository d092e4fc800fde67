// /v1/config: entries that belong to a directory. MCP servers and skills differ in their store and the name of a parameter
// only.
#include <fmt/format.h>

#include <filesystem>

#include "api/handlers.h"
#include "base/shape_read.h"
#include "config/entry_store.h"
#include "config/mcp_entry.h"
#include "config/skills_entry.h"

namespace sa {
namespace {

struct ConfigKind {
  EntryStore store;
  std::string_view name_parameter;
};

constexpr ConfigKind mcp{EntryStore(mcp_entries), "mcpName"};
constexpr ConfigKind skills{EntryStore(skills_entries), "skillName"};

// Which entry a request is about.
struct Address {
  GuardedPath directory;
  std::string name;
};

Error bad_parameter(std::string_view name, std::string_view must) {
  return Error{ErrorCode::invalid_request, fmt::format("The query parameter '{}' must {}.", name, must), {}}.with_text("field",
                                                                                                                       name);
}

// One that the row requires, so that it is there and not blank.
Result<std::string> text_parameter(const Request& request, std::string_view name) {
  TRY(auto value, request.query_parameter(name));
  if (!is_utf8(*value)) return fail(bad_parameter(name, "be UTF-8"));
  return std::move(*value);
}

// A relative one counts from where the daemon was started, not from the file root.
Result<GuardedPath> guarded_directory(const Api& api, const Request& request) {
  TRY(const std::string given, text_parameter(request, "directory"));
  if (given.contains('\0')) return fail(bad_parameter("directory", "not contain NUL"));
  std::error_code no_start;
  const std::filesystem::path absolute = std::filesystem::absolute(given, no_start);
  if (no_start) return fail(bad_parameter("directory", "be absolute: the directory the daemon was started in is gone"));
  return api.files.guard(absolute.native());
}

Result<Address> address_of(const Api& api, const Request& request, const ConfigKind& kind) {
  TRY(GuardedPath directory, guarded_directory(api, request));
  TRY(std::string name, text_parameter(request, kind.name_parameter));
  return Address{std::move(directory), std::move(name)};
}

Task<Result<Response>> get_entry(Api& api, Request& request, const ConfigKind& kind) {
  CO_TRY(const Address address, address_of(api, request, kind));
  CO_TRY(std::string entry, co_await api.pool.run([&] { return kind.store.get(address.directory, address.name); }));
  co_return Response::json(std::move(entry));
}

// Writers may have to wait for another's lock.
Task<Result<Response>> put_entry(Api& api, Request& request, const ConfigKind& kind) {
  CO_TRY(const Address address, address_of(api, request, kind));
  CO_TRY(const std::string body, co_await request.body->all());
  const Result<void> put = co_await api.slow_pool.run([&]() -> Result<void> {
    TRY(const boost::json::value entry, parse_json(body));
    return kind.store.put(address.directory, address.name, entry, api.stopping);
  });
  if (!put) co_return std::unexpected(put.error());
  co_return Response::empty(204);
}

Task<Result<Response>> delete_entry(Api& api, Request& request, const ConfigKind& kind) {
  CO_TRY(const Address address, address_of(api, request, kind));
  const Result<void> removed =
      co_await api.slow_pool.run([&] { return kind.store.remove(address.directory, address.name, api.stopping); });
  if (!removed) co_return std::unexpected(removed.error());
  co_return Response::empty(204);
}

}  // namespace

Task<Result<Response>> get_mcp_config(Api& api, Request& request) { return get_entry(api, request, mcp); }
Task<Result<Response>> put_mcp_config(Api& api, Request& request) { return put_entry(api, request, mcp); }
Task<Result<Response>> delete_mcp_config(Api& api, Request& request) { return delete_entry(api, request, mcp); }

Task<Result<Response>> get_skills_config(Api& api, Request& request) { return get_entry(api, request, skills); }
Task<Result<Response>> put_skills_config(Api& api, Request& request) { return put_entry(api, request, skills); }
Task<Result<Response>> delete_skills_config(Api& api, Request& request) { return delete_entry(api, request, skills); }

}  // namespace sa
