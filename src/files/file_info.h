// What is known of an entry without opening it. Values and pure functions, but for look().
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>

namespace sa {

enum class EntryType : std::uint8_t { file, directory };

struct FileInfo {
  EntryType type = EntryType::file;  // whatever is not a directory counts as a file
  std::uint64_t size = 0;
  std::string modified;                // RFC 3339, UTC, milliseconds
  std::string mode;                    // permission bits, octal: "0644"
  std::optional<std::string> symlink;  // where a link points, as it is written
  std::optional<std::string> special;  // "fifo", "socket" or "device", of what is neither file, directory nor link
};

inline constexpr mode_t permission_bits = 07777;

FileInfo describe(const struct stat& info);

// The entry `name` of a directory, links not followed; nullopt when it is gone.
std::optional<FileInfo> look(int directory, const char* name);

// Two looks at one and the same file.
inline bool same_file(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

// Strong: any change of the file gives it another. With its quotes.
std::string etag_of(const struct stat& info);

}  // namespace sa
