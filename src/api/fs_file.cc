// /v1/fs/file: the bytes of one file, both ways.
#include <fmt/format.h>
#include <sys/stat.h>

#include "api/fs_documents.h"
#include "api/fs_path.h"
#include "api/handlers.h"
#include "files/file_error.h"
#include "files/staged_file.h"
#include "http/conditional.h"
#include "http/http_date.h"

namespace sa {
namespace {

constexpr std::uint64_t read_at_once = 32 * 1024;  // smaller files are read when they are opened

struct OpenedFile {
  UniqueFd descriptor;
  struct stat info{};
  std::string content;  // of a small one; empty when it is to be sent from the descriptor
};

Result<OpenedFile> open_file(const GuardedPath& path) {
  TRY(UniqueFd descriptor, open_at(path, O_RDONLY | O_NONBLOCK));  // a FIFO would make us wait
  OpenedFile file{.descriptor = std::move(descriptor)};
  if (::fstat(file.descriptor.get(), &file.info) != 0) return fail_file(errno, path.absolute());
  if (S_ISDIR(file.info.st_mode)) return fail_file(EISDIR, path.absolute());
  if (!S_ISREG(file.info.st_mode))
    return fail(ErrorCode::conflict, fmt::format("'{}' is not a regular file and cannot be downloaded.", path.absolute()));
  const auto size = static_cast<std::size_t>(file.info.st_size);
  if (size > read_at_once) return file;
  file.content.resize(size);
  const ssize_t n = ::pread(file.descriptor.get(), file.content.data(), size, 0);
  if (n != file.info.st_size) file.content.clear();  // it changes this moment: sending will tell
  return file;
}

Version version_of(const struct stat& info) { return {etag_of(info), info.st_mtim.tv_sec}; }

void say_version(Response& response, const Version& version) {
  response.header("etag", version.etag).header("last-modified", http_date(version.modified));
  response.header("cache-control", "no-cache");  // ask again each time; the tag makes that cheap
}

Response::Body part_of(OpenedFile file, const PartWanted& part) {
  if (!file.content.empty() || part.length == 0) return file.content.substr(part.first, part.length);
  return FileBody{std::move(file.descriptor), part.first, part.length};
}

std::unexpected<Error> another_version() {
  return fail(ErrorCode::precondition_failed,
              "The file is not the version this request was made for. Read it again, then decide.");
}

Response unsatisfiable(std::uint64_t size, std::string_view instance) {
  Response response = problem({ErrorCode::range_not_satisfiable,
                               fmt::format("The file has {} bytes; ask for a range that begins before its end.", size),
                               {}},
                              instance);
  response.header("content-range", fmt::format("bytes */{}", size));
  return response;
}

// What If-Match and If-None-Match say of the file that is there when the new one takes its place.
StagedFile::Condition condition_of(const Request& request) {
  const bool only_new = request.header_count("if-none-match") > 0;
  const bool only_this = request.header_count("if-match") > 0;
  if (!only_new && !only_this) return {};
  return [only_new, only_this, forbidden = request.list_header("if-none-match"),
          wanted = request.list_header("if-match")](const struct stat* present) -> Result<void> {
    const std::string etag = present ? etag_of(*present) : "";
    if (only_this && (!present || !lists_etag(wanted, etag, Comparison::strong))) return another_version();
    if (only_new && present && lists_etag(forbidden, etag, Comparison::weak)) return another_version();
    return {};
  };
}

}  // namespace

Task<Result<Response>> get_fs_file(Api& api, Request& request) {
  CO_TRY(const GuardedPath path, path_parameter(api, request));
  auto open = [&] { return open_file(path); };
  CO_TRY(OpenedFile file, co_await api.pool.run(open));
  const Version version = version_of(file.info);
  const auto size = static_cast<std::uint64_t>(file.info.st_size);
  if (!is_version_meant(request, version)) co_return another_version();

  Response response;
  say_version(response, version);
  if (is_unchanged(request, version)) {
    response.status = 304;
    co_return response;
  }
  PartWanted part = request.method == "GET" ? part_wanted(request, version, size) : PartWanted{};
  if (part.kind == PartWanted::Kind::nothing) co_return unsatisfiable(size, request.path);
  if (part.kind == PartWanted::Kind::whole) part.length = size;
  if (part.kind == PartWanted::Kind::part) {
    response.status = 206;
    response.header("content-range", fmt::format("bytes {}-{}/{}", part.first, part.first + part.length - 1, size));
  }
  response.header("accept-ranges", "bytes").header("x-content-type-options", "nosniff");
  response.content_type = "application/octet-stream";
  response.body = part_of(std::move(file), part);
  co_return response;
}

Task<Result<Response>> put_fs_file(Api& api, Request& request) {
  CO_TRY(const GuardedPath path, path_parameter(api, request));
  if (request.header_count("content-range") > 0)
    co_return fail(Error{ErrorCode::invalid_request, "A part of a file cannot be written. Send the whole file.", {}}.with_text(
        "field", "Content-Range"));
  const StagedFile::Condition condition = condition_of(request);
  auto begin = [&]() -> Result<StagedFile> {
    TRY(StagedFile staged, StagedFile::begin(path));
    if (auto allowed = staged.check(condition); !allowed) return std::unexpected(allowed.error());
    return staged;
  };
  CO_TRY(StagedFile file, co_await api.pool.run(begin));
  auto write = [&](std::string_view piece) { return file.write(piece); };
  if (auto written = co_await request.body->pour(write); !written) co_return std::unexpected(written.error());
  auto commit = [&] { return file.commit(condition); };
  CO_TRY(const struct stat now, co_await api.pool.run(commit));
  Response response = Response::json(to_json(WrittenDocument{path.absolute(), file.bytes_written()}));
  response.header("etag", etag_of(now));
  co_return response;
}

}  // namespace sa
