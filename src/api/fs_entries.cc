// /v1/fs/entries, stat, entry, mkdir, move: what lies where, and changing that.
#include <fmt/format.h>
#include <sys/stat.h>

#include "api/fs_documents.h"
#include "api/fs_listing.h"
#include "api/fs_path.h"
#include "api/handlers.h"
#include "api/request_bodies.h"
#include "base/log.h"
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
  TRY(const Place source, blaming("from", place_of(from)));
  const auto there = look_at(source);
  if (!there) return fail_file(there.error(), from.absolute());
  if (to.means_directory() && !S_ISDIR(there->st_mode) && !open_at(to, O_PATH)) return fail_file(ENOTDIR, to.absolute());
  const bool plain = to.absolute().find("/../") == std::string::npos;
  if (plain && to.absolute().starts_with(from.absolute() + "/")) return fail_into_itself(from);
  TRY(const Place target, blaming("to", place_of(to, Parents::create)));
  TRY(const Moved moved, move(source, target, overwrite, stop));
  if (!moved.left_behind.empty()) log::warn("'{}' was replaced or moved but cannot be removed; remove it", moved.left_behind);
  return MovedDocument{from.absolute(), to.absolute()};
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
  auto move = [&]() -> Result<MovedDocument> {
    TRY(const MoveOrder order, read_move_request(body, api.files));
    return move_at(order.from, order.to, order.overwrite, api.stopping);
  };
  co_return as_json(co_await api.slow_pool.run(move));
}

}  // namespace sa
