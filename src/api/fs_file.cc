// /v1/fs/file: the bytes of one file, both ways.
#include <fmt/format.h>

#include "api/fs_documents.h"
#include "api/fs_path.h"
#include "api/handlers.h"
#include "files/file_error.h"
#include "files/open_regular.h"
#include "files/read_up_to.h"
#include "files/staged_file.h"
#include "http/conditional.h"
#include "http/http_date.h"

namespace sa {
namespace {

constexpr std::uint64_t read_at_once = 32 * 1024;  // smaller files are read when they are opened
constexpr std::size_t largest_unsized = 1u << 20;  // of a file that does not tell its size, as those of /proc

struct OpenedFile {
  RegularFile file;
  std::optional<std::string> content;  // of a small one; else it is sent from the descriptor

  std::uint64_t size() const { return content ? content->size() : static_cast<std::uint64_t>(file.info.st_size); }
};

Result<OpenedFile> open_file(const GuardedPath& path) {
  TRY(RegularFile file, open_regular(path));
  OpenedFile opened{std::move(file), std::nullopt};
  const std::uint64_t told = opened.size();
  if (told > read_at_once) return opened;
  TRY(opened.content, read_up_to(opened.file.descriptor.get(), told > 0 ? told : largest_unsized + 1, path.absolute()));
  if (opened.size() > largest_unsized)
    return fail(ErrorCode::conflict,
                fmt::format("'{}' does not tell its size and is too large to be read at once. Read it with "
                            "a program on the machine.",
                            path.absolute()));
  opened.file.descriptor.reset();
  return opened;
}

Version version_of(const struct stat& info) {
  return {etag_of(info), info.st_mtim.tv_sec, info.st_mtim.tv_sec < ::time(nullptr)};
}

void say_version(Response& response, const Version& version) {
  response.header("etag", version.etag).header("last-modified", http_date(version.modified));
  response.header("cache-control", "no-cache");  // ask again each time; the tag makes that cheap
}

// Who asks for the head only gets no descriptor along: nothing will be read from it.
Response::Body part_of(OpenedFile file, const PartWanted& part, bool only_head) {
  if (file.content) return file.content->substr(part.first, part.length);
  if (only_head) return FileBody{UniqueFd(), part.first, part.length};
  return FileBody{std::move(file.file.descriptor), part.first, part.length};
}

std::unexpected<Error> another_version() {
  return fail(ErrorCode::precondition_failed,
              "The file is not the version this request was made for. Read it again, then decide.");
}

std::unexpected<Error> there_already() {
  return fail(ErrorCode::precondition_failed,
              "There is a file already, and If-None-Match excludes it. Choose another name, or leave that header out.");
}

Response unsatisfiable(std::uint64_t size, std::string_view instance) {
  Response response = problem({ErrorCode::range_not_satisfiable,
                               fmt::format("The file has {} bytes; ask for a range that begins before its end.", size),
                               {}},
                              instance);
  response.header("content-range", fmt::format("bytes */{}", size));
  return response;
}

// The answer to GET and HEAD. Blocking, to its end: closing the file may take its time, too. The answer holds a descriptor only
// when bytes will be sent from it.
Result<Response> answer_with_file(const Request& request, const GuardedPath& path, bool directory) {
  TRY(OpenedFile file, open_file(path));
  if (directory) return fail_file(ENOTDIR, path.absolute());
  const Version version = version_of(file.file.info);
  const std::uint64_t size = file.size();
  if (!is_version_meant(request, version)) return another_version();

  Response response;
  say_version(response, version);
  if (is_unchanged(request, version)) {
    response.status = 304;
    return response;
  }
  const bool only_head = request.method != "GET";
  PartWanted part = only_head ? PartWanted{} : part_wanted(request, version, size);
  if (part.kind == PartWanted::Kind::nothing) return unsatisfiable(size, request.path);
  if (part.kind == PartWanted::Kind::whole) part.length = size;
  if (part.kind == PartWanted::Kind::part) {
    response.status = 206;
    response.header("content-range", fmt::format("bytes {}-{}/{}", part.first, part.first + part.length - 1, size));
  }
  response.header("accept-ranges", "bytes").header("x-content-type-options", "nosniff");
  response.content_type = "application/octet-stream";
  response.body = part_of(std::move(file), part, only_head);
  return response;
}

// What If-Match (or else If-Unmodified-Since) and If-None-Match say of the file that is there when the new one takes its place.
StagedFile::Condition condition_of(const Request& request) {
  const bool only_new = request.header_count("if-none-match") > 0;
  const bool only_this = request.header_count("if-match") > 0;
  const auto since = only_this ? std::nullopt : parse_http_date(request.header("if-unmodified-since"));
  if (!only_new && !only_this && !since) return {};
  return [only_new, only_this, since, forbidden = request.list_header("if-none-match"),
          wanted = request.list_header("if-match")](const struct stat* present) -> Result<void> {
    const std::string etag = present ? etag_of(*present) : "";
    if (only_this && (!present || !lists_etag(wanted, etag, Comparison::strong))) return another_version();
    if (since && present && present->st_mtim.tv_sec > *since) return another_version();
    if (only_new && present && lists_etag(forbidden, etag, Comparison::weak)) return there_already();
    return {};
  };
}

// A slash at its end says that a directory is meant.
Result<bool> means_directory(const Request& request) {
  TRY(const auto path, request.query_parameter("path"));
  return path && path->ends_with('/');
}

Result<void> begin_file(const GuardedPath& path, const StagedFile::Condition& condition, std::optional<StagedFile>& file) {
  TRY(StagedFile staged, StagedFile::begin(path));
  file.emplace(std::move(staged));
  return file->check(condition);
}

// Lets it take its place when all went well, and ends it in any case: giving back the space of a large one takes its time, so
// that must not happen on the loop.
Result<void> end_file(Result<void> done, const StagedFile::Condition& condition, std::optional<StagedFile>& file,
                      struct stat& written) {
  if (done) {
    auto committed = file->commit(condition);
    if (committed) {
      written = *committed;
    } else {
      done = std::unexpected(committed.error());
    }
  }
  file.reset();
  return done;
}

}  // namespace

Task<Result<Response>> get_fs_file(Api& api, Request& request) {
  CO_TRY(const GuardedPath path, path_parameter(api, request));
  CO_TRY(const bool directory, means_directory(request));
  auto answer = [&] { return answer_with_file(request, path, directory); };
  co_return co_await api.pool.run(answer);
}

Task<Result<Response>> put_fs_file(Api& api, Request& request) {
  CO_TRY(const GuardedPath path, path_parameter(api, request));
  if (request.header_count("content-range") > 0)
    co_return fail(Error{ErrorCode::invalid_request, "A part of a file cannot be written. Send the whole file.", {}}.with_text(
        "field", "Content-Range"));
  CO_TRY(const bool directory, means_directory(request));
  if (directory)
    co_return fail(
        Error{ErrorCode::invalid_request, "The path ends with a slash, so it names a directory. Name a file.", {}}.with_text(
            "field", "path"));
  const StagedFile::Condition condition = condition_of(request);
  std::optional<StagedFile> file;
  auto begin = [&] { return begin_file(path, condition, file); };
  auto done = co_await api.pool.run(begin);
  auto write = [&](std::string_view piece) { return file->write(piece); };
  if (done) done = co_await request.body->pour(write);
  struct stat written{};
  auto end = [&] { return end_file(done, condition, file, written); };
  done = co_await api.pool.run(end);
  if (!done) co_return std::unexpected(done.error());
  const auto size = static_cast<std::uint64_t>(written.st_size);
  Response response = Response::json(to_json(WrittenDocument{path.absolute(), size}));
  response.header("etag", etag_of(written));
  co_return response;
}

}  // namespace sa
