// /v1/fs/upload-batch: a tar archive, unpacked while it arrives.
#include <fmt/format.h>

#include "api/fs_documents.h"
#include "api/fs_path.h"
#include "api/handlers.h"
#include "files/remove.h"
#include "files/tar_extract.h"

namespace sa {
namespace {

// One of the archives that are unpacked at a time.
class Turn {
 public:
  explicit Turn(std::size_t& taken) : taken_(taken) { ++taken_; }
  ~Turn() { --taken_; }
  Turn(const Turn&) = delete;

 private:
  std::size_t& taken_;
};

// Those of a directory and its parents that do not exist, the innermost first.
std::vector<GuardedPath> missing_directories(GuardedPath path) {
  std::vector<GuardedPath> missing;
  for (; !path.name().empty(); path = path.parent()) {
    const auto there = open_directory(path);
    if (there || there.error().code != ErrorCode::not_found) break;
    missing.push_back(path);
  }
  return missing;
}

void remove_empty(const std::vector<GuardedPath>& directories, const StopFlag& stop) {
  for (const GuardedPath& path : directories) {
    const auto place = place_of(path);
    const auto there = place ? look_at(*place) : std::unexpected(ENOENT);
    if (there && (!S_ISDIR(there->st_mode) || !remove(*place, Recursive::no, stop))) return;
  }
}

Result<Unpacked> unpack_into(const GuardedPath& path, BodyReader& body, std::uint64_t most_bytes, const StopFlag& stop) {
  TRY(UniqueFd directory, open_directory(path, Parents::create));
  const TarTarget target{std::move(directory), path.absolute()};
  auto pull = [&] { return body.pull(); };
  return extract_tar(target, pull, {.max_unpacked_bytes = most_bytes}, stop);
}

// The directories that are made for it go when nothing came of it.
Result<Unpacked> unpack_to(const GuardedPath& path, BodyReader& body, std::uint64_t most_bytes, const StopFlag& stop) {
  const std::vector<GuardedPath> made = missing_directories(path);
  auto unpacked = unpack_into(path, body, most_bytes, stop);
  if (!unpacked) remove_empty(made, stop);
  return unpacked;
}

std::unexpected<Error> too_many(std::size_t archives) {
  return fail(ErrorCode::overloaded, fmt::format("{} archives are being unpacked already. Try again later.", archives));
}

}  // namespace

Task<Result<Response>> post_fs_upload_batch(Api& api, Request& request) {
  CO_TRY(const GuardedPath path, path_parameter(api, request));
  const FileLimits& limits = api.settings.files;
  if (api.archives >= limits.max_archives) co_return too_many(api.archives);
  if (auto begun = co_await request.body->begin(); !begun) co_return std::unexpected(begun.error());
  if (api.archives >= limits.max_archives) co_return too_many(api.archives);
  const Turn turn(api.archives);
  auto unpack = [&] { return unpack_to(path, *request.body, limits.max_unpacked_bytes, api.stopping); };
  CO_TRY(Unpacked unpacked, co_await api.slow_pool.run(unpack));
  co_return Response::json(to_json(UnpackedDocument{std::move(unpacked.paths), unpacked.truncated}));
}

}  // namespace sa
