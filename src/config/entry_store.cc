#include "config/entry_store.h"

#include <fmt/format.h>

#include "base/utf8.h"
#include "config/entry_file.h"

namespace sa {
namespace {

namespace json = boost::json;

constexpr std::size_t longest_echo_of_a_name = 256;

// A name for a sentence; it may be as long as an address.
std::string shown(std::string_view name) { return repair_utf8(name, longest_echo_of_a_name); }

std::string_view without_full_stop(std::string_view sentence) { return sentence.substr(0, sentence.find_last_not_of('.') + 1); }

// Something else than a directory holds no entries, nor is anything below it.
bool is_no_directory(const GuardedPath& path) {
  const auto found = open_at(path, O_PATH);
  if (!found) return found.error().code == ErrorCode::conflict;
  struct stat info{};
  return ::fstat(found->get(), &info) == 0 && !S_ISDIR(info.st_mode);
}

}  // namespace

GuardedPath EntryStore::file_in(const GuardedPath& directory) const {
  return directory.child(".sandbox-agent").child("config").child(kind_->file);
}

Error EntryStore::missing(const GuardedPath& directory, std::string_view name) const {
  return Error{ErrorCode::not_found,
               fmt::format("There is no {} '{}' for '{}'. PUT it first.", kind_->resource, shown(name), directory.absolute()),
               {}}
      .with_text("resource", kind_->resource)
      .with_text("id", shown(name));
}

Result<std::string> EntryStore::get(const GuardedPath& directory, std::string_view name) const {
  const GuardedPath file = file_in(directory);
  const auto read = read_entries(file);
  if (!read) return fail(is_no_directory(directory) ? missing(directory, name) : read.error());
  const json::object& entries = *read;
  const json::value* entry = entries.if_contains(name);
  if (!entry) return fail(missing(directory, name));
  auto canonical = kind_->canonical(*entry);
  if (!canonical)
    return fail(corrupt(file.absolute(), fmt::format("has an entry '{}' of a wrong shape: {}", shown(name),
                                                     without_full_stop(canonical.error().detail))));
  return canonical;
}

Result<void> EntryStore::put(const GuardedPath& directory, std::string_view name, const json::value& entry,
                             const StopFlag& stop) const {
  TRY(const std::string canonical, kind_->canonical(entry));
  TRY(Place place, place_behind_links(file_in(directory), Parents::create));
  TRY(const DirectoryLock lock, DirectoryLock::take(place.directory.get(), place.path, patience_, stop));
  TRY(MarkedEntries content, read_marked_entries(place));
  content.entries[name] = json::parse(canonical);
  return write_entries(std::move(place), std::move(content));
}

Result<void> EntryStore::remove(const GuardedPath& directory, std::string_view name, const StopFlag& stop) const {
  auto place = place_behind_links(file_in(directory));
  if (!place && (place.error().code == ErrorCode::not_found || is_no_directory(directory))) return {};
  if (!place) return std::unexpected(place.error());
  TRY(const DirectoryLock lock, DirectoryLock::take(place->directory.get(), place->path, patience_, stop));
  TRY(MarkedEntries content, read_marked_entries(*place));
  const auto entry = content.entries.find(name);
  if (entry == content.entries.end()) return {};
  content.entries.stable_erase(entry);
  return write_entries(std::move(*place), std::move(content));
}

}  // namespace sa
