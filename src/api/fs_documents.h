// What the file routes take and answer. Plain data.
#pragma once

#include "base/shape.h"
#include "files/file_info.h"

namespace sa {

template <>
struct Words<EntryType> {
  static constexpr std::string_view all[] = {"file", "directory"};
};

struct StatDocument {
  std::string path;
  EntryType entry_type = EntryType::file;
  std::uint64_t size = 0;
  std::string modified;
  std::string mode;
  std::optional<std::string> special;
};

template <>
struct Shape<StatDocument> {
  using D = StatDocument;
  static constexpr std::string_view name = "FileStat";
  static constexpr std::string_view help = "What is at a path, links followed.";
  static constexpr std::tuple fields{
      Field{"path", &D::path, "Absolute."},
      Field{"entryType", &D::entry_type, "Whatever is not a directory counts as a file."},
      Field{"size", &D::size, "In bytes."},
      Field{"modified", &D::modified, "When its content last changed: RFC 3339, UTC."},
      Field{"mode", &D::mode, "The permission bits, octal."},
      Field{"special", &D::special, "\"fifo\", \"socket\" or \"device\", when it is one of these."},
  };
};

struct EntryDocument {
  std::string name;
  std::string path;
  EntryType entry_type = EntryType::file;
  std::uint64_t size = 0;
  std::string modified;
  std::string mode;
  std::optional<std::string> symlink;
  std::optional<std::string> special;
  std::optional<std::string> escaped_path;
};

template <>
struct Shape<EntryDocument> {
  using D = EntryDocument;
  static constexpr std::string_view name = "FileEntry";
  static constexpr std::string_view help = "An entry of a directory, links not followed.";
  static constexpr std::tuple fields{
      Field{"name", &D::name, "Its name in the directory."},
      Field{"path", &D::path, "Absolute."},
      Field{"entryType", &D::entry_type, "Whatever is not a directory counts as a file, links too."},
      Field{"size", &D::size, "In bytes."},
      Field{"modified", &D::modified, "When its content last changed: RFC 3339, UTC."},
      Field{"mode", &D::mode, "The permission bits, octal."},
      Field{"symlink", &D::symlink, "Where it points, as it is written, when it is a symbolic link."},
      Field{"special", &D::special, "\"fifo\", \"socket\" or \"device\", when it is one of these."},
      Field{"escapedPath", &D::escaped_path,
            "Its path as a query parameter takes it, percent-encoded, when it is not UTF-8 and `path` cannot say it."},
  };
};

struct WrittenDocument {
  std::string path;
  std::uint64_t bytes_written = 0;
};

template <>
struct Shape<WrittenDocument> {
  static constexpr std::string_view name = "FileWritten";
  static constexpr std::string_view help = "A file that was written.";
  static constexpr std::tuple fields{
      Field{"path", &WrittenDocument::path, "Absolute."},
      Field{"bytesWritten", &WrittenDocument::bytes_written, "The size of the file."},
  };
};

struct PathDocument {
  std::string path;
};

template <>
struct Shape<PathDocument> {
  static constexpr std::string_view name = "FilePath";
  static constexpr std::string_view help = "What it was done to.";
  static constexpr std::tuple fields{Field{"path", &PathDocument::path, "Absolute."}};
};

struct MoveRequest {
  std::string from;
  std::string to;
  std::optional<bool> overwrite;
};

template <>
struct Shape<MoveRequest> {
  static constexpr std::string_view name = "FileMove";
  static constexpr std::string_view help = "What to move where.";
  static constexpr std::tuple fields{
      Field{"from", &MoveRequest::from, "The entry to move; a link is moved, not its target."},
      Field{"to", &MoveRequest::to, "Its new path. Directories it lacks are made."},
      Field{"overwrite", &MoveRequest::overwrite, "Whether what is there may be replaced, a directory with all below it."},
  };
};

struct MovedDocument {
  std::string from;
  std::string to;
};

template <>
struct Shape<MovedDocument> {
  static constexpr std::string_view name = "FileMoved";
  static constexpr std::string_view help = "What was moved where.";
  static constexpr std::tuple fields{
      Field{"from", &MovedDocument::from, "Absolute."},
      Field{"to", &MovedDocument::to, "Absolute."},
  };
};

struct UnpackedDocument {
  std::vector<std::string> paths;
  bool truncated = false;
};

template <>
struct Shape<UnpackedDocument> {
  static constexpr std::string_view name = "FilesUnpacked";
  static constexpr std::string_view help = "What was in an archive.";
  static constexpr std::tuple fields{
      Field{"paths", &UnpackedDocument::paths, "The first 1,024 entries in the archive's order, absolute."},
      Field{"truncated", &UnpackedDocument::truncated, "Whether there were more."},
  };
};

}  // namespace sa
