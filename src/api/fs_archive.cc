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

Result<Unpacked> unpack_to(const GuardedPath& path, BodyReader& body, std::uint64_t most_bytes, const StopFlag& stop) {
  const bool is_new = !open_directory(path);
  TRY(UniqueFd directory, open_directory(path, Parents::create));
  const TarTarget target{std::move(directory), path.absolute()};
  auto pull = [&] { return body.pull(); };
  auto unpacked = extract_tar(target, pull, {.max_unpacked_bytes = most_bytes}, stop);
  if (!unpacked && is_new) {  // if nothing came of it, it goes
    if (const auto place = place_of(path)) std::ignore = remove(*place, Recursive::no, stop);
  }
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
