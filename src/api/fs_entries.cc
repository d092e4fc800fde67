// /v1/fs/entries, stat, entry, mkdir, move: what lies where, and changing that.
#include <fmt/format.h>
#include <sys/stat.h>

#include "api/fs_documents.h"
#include "api/fs_listing.h"
#include "api/fs_path.h"
#include "api/handlers.h"
#include "base/shape_read.h"
#include "files/file_error.h"
#include "files/move.h"

namespace sa {
namespace {

Result<StatDocument> stat_of(const GuardedPath& path) {
  TRY(const UniqueFd found, open_at(path, O_PATH));
  struct stat info{};
  if (::fstat(found.get(), &info) != 0) return fail_file(errno, path.absolute());
  FileInfo known = describe(info);
  return StatDocument{.path = path.absolute(),
                      .entry_type = known.type,
                      .size = known.size,
                      .modified = std::move(known.modified),
                      .mode = std::move(known.mode),
                      .special = std::move(known.special)};
}

Result<PathDocument> remove_at(const GuardedPath& path, Recursive recursive, const StopFlag& stop) {
  TRY(const Place place, place_of(path));
  if (auto removed = remove(place, recursive, stop); !removed) return std::unexpected(removed.error());
  return PathDocument{path.absolute()};
}

Result<PathDocument> make_at(const GuardedPath& path) {
  if (auto made = open_directory(path, Parents::create); !made) return std::unexpected(made.error());
  return PathDocument{path.absolute()};
}

std::unexpected<Error> fail_into_itself(const GuardedPath& from) {
  return fail(ErrorCode::conflict, fmt::format("'{}' cannot be moved into itself. Choose another target.", from.absolute()));
}

// What can be seen is looked at before the directories of `to` are made.
Result<MovedDocument> move_at(const GuardedPath& from, const GuardedPath& to, Overwrite overwrite, const StopFlag& stop) {
  TRY(const Place source, place_of(from));
  if (const auto there = look_at(source); !there) return fail_file(there.error(), from.absolute());
  if (to.absolute().starts_with(from.absolute() + "/")) return fail_into_itself(from);
  TRY(const Place target, place_of(to, Parents::create));
  if (auto moved = move(source, target, overwrite, stop); !moved) return std::unexpected(moved.error());
  return MovedDocument{from.absolute(), to.absolute()};
}

// A path in a JSON body; what is wrong with it is the member's fault.
Result<GuardedPath> path_member(const Api& api, const std::string& path, std::string_view member) {
  auto guarded = api.files.guard(path);
  if (guarded || guarded.error().code != ErrorCode::invalid_request) return guarded;
  return fail(Error{ErrorCode::invalid_request, guarded.error().detail, {}}.with_text("field", member));
}

template <class Document>
Result<Response> as_json(const Result<Document>& document) {
  if (!document) return std::unexpected(document.error());
  return Response::json(to_json(*document));
}

}  // namespace

Task<Result<Response>> get_fs_entries(Api& api, Request& request) {
  CO_TRY(const GuardedPath path, path_parameter(api, request));
  auto list = [&] { return list_entries(path); };
  co_return co_await api.pool.run(list);
}

Task<Result<Response>> get_fs_stat(Api& api, Request& request) {
  CO_TRY(const GuardedPath path, path_parameter(api, request));
  auto look = [&] { return stat_of(path); };
  co_return as_json(co_await api.pool.run(look));
}

Task<Result<Response>> delete_fs_entry(Api& api, Request& request) {
  CO_TRY(const GuardedPath path, path_parameter(api, request));
  CO_TRY(const bool recursive, request.query_flag("recursive"));
  auto remove = [&] { return remove_at(path, Recursive{recursive}, api.stopping); };
  co_return as_json(co_await (recursive ? api.slow_pool : api.pool).run(remove));
}

Task<Result<Response>> post_fs_mkdir(Api& api, Request& request) {
  CO_TRY(const GuardedPath path, path_parameter(api, request));
  auto make = [&] { return make_at(path); };
  co_return as_json(co_await api.pool.run(make));
}

Task<Result<Response>> post_fs_move(Api& api, Request& request) {
  CO_TRY(const std::string body, co_await request.body->all());
  CO_TRY(const auto document, parse_json(body));
  CO_TRY(const MoveRequest wanted, from_json<MoveRequest>(document));
  CO_TRY(const GuardedPath from, path_member(api, wanted.from, "from"));
  CO_TRY(const GuardedPath to, path_member(api, wanted.to, "to"));
  auto move = [&] { return move_at(from, to, Overwrite{wanted.overwrite.value_or(false)}, api.stopping); };
  co_return as_json(co_await api.slow_pool.run(move));
}

}  // namespace sa
