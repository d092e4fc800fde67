#include "files/tar_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "files/file_info.h"
#include "files/tar_file.h"
#include "files/tar_name.h"
#include "files/tar_new_name.h"
#include "files/tar_problem.h"

namespace sa {
namespace {

constexpr std::string_view through_link = "its way leads through a symbolic link";

}  // namespace

// Where an entry goes: an open directory, its name there, and both in words.
struct TarWriter::Place {
  int directory;
  std::string name;
  std::string_view path;

  bool look(struct stat& found) const { return ::fstatat(directory, name.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0; }
};

TarWriter::TarWriter(const TarTarget& target)
    : target_(target),
      parents_(target.directory.get()),
      link_parents_(target.directory.get()),
      directories_(parents_, target.path) {}

Result<std::string> TarWriter::write(const TarEntry& entry, TarReader& reader) {
  TRY(const std::string name, clean_tar_name(entry.name));
  if (entry.kind == TarKind::other) return refuse_tar_entry(entry.name, "it is neither a file nor a directory nor a link");
  if (name.empty()) {
    if (entry.kind != TarKind::directory) return refuse_tar_entry(entry.name, "its name is that of the target itself");
    return std::string();
  }
  std::string path = fmt::format("{}{}{}", target_.path, target_.path.ends_with('/') ? "" : "/", name);
  if (auto written = write(entry, name, path, reader); !written) {
    parents_.undo();
    return fail(std::move(written).error());
  }
  return path;
}

Result<void> TarWriter::write(const TarEntry& entry, std::string_view name, std::string_view path, TarReader& reader) {
  std::string link;
  if (entry.kind == TarKind::hard_link) {  // before directories are made for it
    TRY(link, checked_hard_link(entry));
  }
  TRY(const Place place, place_of(entry, name, path));
  switch (entry.kind) {
    case TarKind::directory: return directory(entry, name, place);
    case TarKind::symlink: return symlink(entry, place);
    case TarKind::hard_link: return hard_link(entry, link, place);
    default: return write_tar_file(place.directory, place.name, entry, reader, path);
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

Result<void> TarWriter::symlink(const TarEntry& entry, const Place& place) {
  const std::string text(entry.link);
  if (text.empty()) return refuse_tar_entry(entry.name, "it is a symbolic link to nothing");
  TarNewName link(place.directory, place.name);
  int error = link.make([&](const char* name) { return ::symlinkat(text.c_str(), place.directory, name) == 0 ? 0 : errno; });
  const timespec times[] = {{.tv_sec = 0, .tv_nsec = UTIME_OMIT}, entry.modified};
  if (error == 0 && ::utimensat(place.directory, link.current(), times, AT_SYMLINK_NOFOLLOW) != 0) error = errno;
  if (error == 0) error = link.commit();
  if (error != 0) return fail_tar_entry(error, place.path);
  return {};
}

// The clean name of an existing file or link below the target.
Result<std::string> TarWriter::checked_hard_link(const TarEntry& entry) {
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
