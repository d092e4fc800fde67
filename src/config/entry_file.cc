#include "config/entry_file.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>

#include "base/json_numbers.h"
#include "base/json_pretty.h"
#include "base/shape_read.h"
#include "base/utf8.h"
#include "files/file_error.h"
#include "files/hidden_name.h"
#include "files/read_up_to.h"
#include "files/staged_file.h"

namespace sa {
namespace {

constexpr std::size_t largest_file = 16U << 20U;
constexpr std::size_t longest_echo = 256;                      // of a name
constexpr mode_t owner_only = 0600;                            // entries hold secrets
constexpr int open_flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC;  // a FIFO must not make us wait

Result<std::string> read_text(int file, std::string_view path) {
  struct stat info{};
  if (::fstat(file, &info) != 0) return fail_file(errno, path);
  if (!S_ISREG(info.st_mode)) return fail(corrupt(path, "is not a regular file"));
  TRY(std::string text, read_up_to(file, largest_file + 1, path));
  if (text.size() > largest_file) return fail(corrupt(path, "is larger than 16 MiB"));
  return text;
}

Result<boost::json::object> entries_in(std::string_view text, std::string_view path) {
  auto document = parse_json(text);
  if (!document) return fail(corrupt(path, "is not JSON"));
  boost::json::object* entries = document->if_object();
  if (!entries) return fail(corrupt(path, "is not a JSON object"));
  for (const auto& [name, entry] : *entries)
    if (!entry.is_object())
      return fail(corrupt(path, fmt::format("has an entry '{}' that is not an object", repair_utf8(name, longest_echo))));
  return std::move(*entries);
}

}  // namespace

Error corrupt(std::string_view path, std::string_view why) {
  return Error{ErrorCode::config_corrupt, fmt::format("Repair or remove '{}': it {}.", path, why), {}}.with_text("path", path);
}

Result<boost::json::object> read_entries(const GuardedPath& file) {
  const auto opened = open_at(file, open_flags);
  if (!opened && opened.error().code == ErrorCode::not_found) return boost::json::object();
  if (!opened) return std::unexpected(opened.error());
  TRY(const std::string text, read_text(opened->get(), file.absolute()));
  return entries_in(text, file.absolute());
}

Result<MarkedEntries> read_marked_entries(const Place& file) {
  const UniqueFd opened(::openat(file.directory.get(), file.name.c_str(), open_flags | O_NOFOLLOW));
  if (!opened && errno == ENOENT) return MarkedEntries{};
  if (!opened) return fail_file(errno, file.path);
  TRY(const std::string text, read_text(opened.get(), file.path));
  TRY_VOID(entries_in(text, file.path));  // what is marked may be taken for JSON where it was none
  MarkedEntries content{{}, random_word()};
  TRY(content.entries, entries_in(mark_numbers(text, content.mark), file.path));
  return content;
}

Result<void> write_entries(Place file, MarkedEntries content) {
  const std::string text = pretty_json(std::move(content.entries), content.mark);
  if (text.size() > largest_file)
    return fail(Error{
        ErrorCode::payload_too_large,
        fmt::format("'{}' would grow beyond 16 MiB. Remove entries from it first.", file.path),
        {}}.with_number("limit", largest_file));
  TRY(StagedFile staged, StagedFile::begin(std::move(file), owner_only));
  if (auto written = staged.write(text); !written) return written;
  if (auto placed = staged.commit(); !placed) return std::unexpected(placed.error());
  return {};
}

}  // namespace sa
