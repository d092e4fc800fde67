#include "files/tar_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "files/file_info.h"
#include "files/link_text.h"
#include "files/tar_file.h"
#include "files/tar_name.h"
#include "files/tar_new_name.h"
#include "files/tar_problem.h"

namespace sa {
namespace {

constexpr std::string_view through_link = "its way leads through a symbolic link";

Result<void> check_size(const TarEntry& entry, std::uint64_t limit) {
  if (limit == 0 || (entry.position <= limit && entry.size <= limit - entry.position)) return {};
  return tar_too_large(limit);
}

}  // namespace

// Where an entry goes: an open directory, its name there, and both in words.
struct TarWriter::Place {
  int directory;
  std::string name;
  std::string_view path;

  bool look(struct stat& found) const { return ::fstatat(directory, name.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0; }
};

namespace {

// Its owner can always read and remove it, and nobody else change it.
mode_t harmless_mode(const TarEntry& entry) {
  return (entry.mode & 0755U) | (entry.kind == TarKind::directory ? 0700U : 0600U);
}

}  // namespace

TarWriter::TarWriter(const TarTarget& target, TarTrust trust)
    : target_(target),
      trust_(trust),
      parents_(target.directory.get()),
      link_parents_(target.directory.get()),
      directories_(parents_, target.path) {}

Result<Unpacked> TarWriter::write_all(TarEntries& entries, const TarLimits& limits) {
  auto unpacked = write_entries(entries, limits);
  auto settled = directories_.settle();
  if (unpacked && !settled) return fail(std::move(settled).error());
  return unpacked;
}

Result<Unpacked> TarWriter::write_entries(TarEntries& entries, const TarLimits& limits) {
  Unpacked unpacked;
  for (;;) {
    TRY(std::optional<TarEntry> entry, entries.next());
    if (!entry) return unpacked;
    if (trust_ == TarTrust::foreign) entry->mode = harmless_mode(*entry);
    if (auto fits = check_size(*entry, limits.max_unpacked_bytes); !fits) return fail(std::move(fits).error());
    TRY(std::string path, write(*entry, entries));
    if (path.empty()) continue;
    if (unpacked.paths.size() < limits.max_paths) {
      unpacked.paths.push_back(std::move(path));
    } else {
      unpacked.truncated = true;
    }
  }
}

Result<std::string> TarWriter::write(const TarEntry& entry, TarEntries& entries) {
  TRY(const std::string name, clean_tar_name(entry.name));
  if (entry.kind == TarKind::other) return refuse_tar_entry(entry.name, "it is neither a file nor a directory nor a link");
  if (name.empty()) {
    if (entry.kind != TarKind::directory) return refuse_tar_entry(entry.name, "its name is that of the target itself");
    return std::string();
  }
  std::string path = fmt::format("{}{}{}", target_.path, target_.path.ends_with('/') ? "" : "/", name);
  if (auto written = write(entry, name, path, entries); !written) {
    parents_.undo();
    return fail(std::move(written).error());
  }
  return path;
}

Result<void> TarWriter::write(const TarEntry& entry, std::string_view name, std::string_view path, TarEntries& entries) {
  std::string link;
  if (entry.kind == TarKind::hard_link) {  // before directories are made for it
    TRY(link, checked_hard_link(entry, name));
  }
  TRY(const Place place, place_of(entry, name, path));
  switch (entry.kind) {
    case TarKind::directory: return directory(entry, name, place);
    case TarKind::symlink: return symlink(entry, name, place);
    case TarKind::hard_link: return hard_link(entry, link, place);
    default: return write_tar_file(place.directory, place.name, entry, entries, path);
  }
}

Result<TarWriter::Place> TarWriter::place_of(const TarEntry& entry, std::string_view name, std::string_view path) {
  const auto [directory, last] = split_tar_name(name);
  const auto opened = parents_.open(directory, Parents::create);
  if (!opened && opened.error() == ELOOP) return refuse_tar_entry(entry.name, through_link);
  if (!opened) return fail_tar_entry(opened.error(), path);
  return Place{*opened, std::string(last), path};
}

Result<void> TarWriter::directory(const TarEntry& entry, std::string_view name, const Place& place) {
  if (::mkdirat(place.directory, place.name.c_str(), (entry.mode & 0777) | S_IRWXU) != 0) {
    struct stat found{};
    if (errno != EEXIST || !place.look(found)) return fail_tar_entry(errno, place.path);
    if (S_ISLNK(found.st_mode)) return refuse_tar_entry(entry.name, "a symbolic link stands where the directory belongs");
    if (!S_ISDIR(found.st_mode)) return fail_tar_entry(ENOTDIR, place.path);
    if ((found.st_mode & S_IRWXU) != S_IRWXU)  // if that is not allowed, what needs it will say so
      ::fchmodat(place.directory, place.name.c_str(), (found.st_mode & 07777) | S_IRWXU, AT_SYMLINK_NOFOLLOW);
  }
  return directories_.add(name, entry.mode, entry.modified);
}

Result<void> TarWriter::symlink(const TarEntry& entry, std::string_view name, const Place& place) {
  const std::string text(entry.link);
  if (text.empty()) return refuse_tar_entry(entry.name, "it is a symbolic link to nothing");
  if (auto right = check_text(entry, name, text); !right) return right;
  TarNewName link(place.directory, place.name);
  int error = link.make([&](const char* name) { return ::symlinkat(text.c_str(), place.directory, name) == 0 ? 0 : errno; });
  const timespec times[] = {{.tv_sec = 0, .tv_nsec = UTIME_OMIT}, entry.modified};
  if (error == 0 && ::utimensat(place.directory, link.current(), times, AT_SYMLINK_NOFOLLOW) != 0) error = errno;
  if (error == 0) error = link.commit();
  if (error != 0) return fail_tar_entry(error, place.path);
  return {};
}

// `text`: of the symbolic link that is to bear the clean `name`.
Result<void> TarWriter::check_text(const TarEntry& entry, std::string_view name, std::string_view text) const {
  if (trust_ == TarTrust::own || stays_inside(name, text)) return {};
  return refuse_tar_entry(
      entry.name, fmt::format("it is a symbolic link to '{}', which may lead out of the target", tar_name_for_words(text)));
}

// The clean name of an existing file or link below the target.
Result<std::string> TarWriter::checked_hard_link(const TarEntry& entry, std::string_view name) {
  auto clean = clean_tar_name(entry.link);
  if (!clean || clean->empty()) return refuse_tar_entry(entry.name, "what it is a hard link to does not lie below the target");
  const auto [directory, last] = split_tar_name(*clean);
  const auto parent = link_parents_.open(directory, Parents::must_exist);
  if (!parent && parent.error() == ELOOP) return refuse_tar_entry(entry.name, through_link);
  struct stat found{};
  if (!parent || ::fstatat(*parent, std::string(last).c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0)
    return refuse_tar_entry(entry.name, "it is a hard link to something that does not exist");
  if (!S_ISREG(found.st_mode) && !S_ISLNK(found.st_mode))
    return refuse_tar_entry(entry.name, "it is a hard link to something that is not a file");
  if (S_ISLNK(found.st_mode)) {  // which leads elsewhere from its new place
    const auto text = read_link(*parent, std::string(last).c_str());
    if (!text) return fail_tar_entry(text.error(), entry.name);
    if (auto right = check_text(entry, name, *text); !right) return fail(std::move(right).error());
  }
  return clean;
}

Result<void> TarWriter::hard_link(const TarEntry& entry, std::string_view link, const Place& place) {
  const auto [directory, last] = split_tar_name(link);
  const std::string target(last);
  const auto parent = link_parents_.open(directory, Parents::must_exist);
  struct stat wanted{}, found{};
  if (!parent || ::fstatat(*parent, target.c_str(), &wanted, AT_SYMLINK_NOFOLLOW) != 0)
    return refuse_tar_entry(entry.name, "what it is a hard link to vanished");
  if (place.look(found) && same_file(wanted, found)) return {};  // renaming one link onto another would do nothing
  TarNewName name(place.directory, place.name);
  int error = name.make(
      [&](const char* free_name) { return ::linkat(*parent, target.c_str(), place.directory, free_name, 0) == 0 ? 0 : errno; });
  if (error == 0) error = name.commit();
  if (error != 0) return fail_tar_entry(error, place.path);
  return {};
}

}  // namespace sa
