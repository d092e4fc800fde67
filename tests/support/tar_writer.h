// Tar archives byte by byte, honest and hostile alike: whatever a header can say is written as told. A value; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rig {

inline constexpr std::int64_t tar_time = 1'600'000'000;  // the time of an entry that gives none

// One header with what follows it. Types as in POSIX: '0' file, '1' hard link, '2' symlink, '3' and '4' devices, '5'
// directory, '6' FIFO; 'x' a pax header, 'L' and 'K' the long name and long link of GNU tar.
struct TarEntry {
  std::string name;
  char type = '0';
  std::string content = {};
  std::string link = {};
  unsigned mode = 0644;
  std::int64_t modified = tar_time;
  std::uint32_t owner = 0;
  std::uint64_t announced = 0;  // the size in the header; 0: that of the content
};

class TarWriter {
 public:
  // A name over 100 bytes goes into a long-name entry of GNU tar before it, and so does a link.
  TarWriter& add(const TarEntry& entry);
  TarWriter& file(std::string_view name, std::string_view content = {}, unsigned mode = 0644, std::int64_t modified = tar_time);
  TarWriter& directory(std::string_view name, unsigned mode = 0755, std::int64_t modified = tar_time);
  TarWriter& symlink(std::string_view name, std::string_view target);
  TarWriter& hard_link(std::string_view name, std::string_view target);
  // Records that override the header of the next entry: path, linkpath, mtime, ...
  TarWriter& pax(const std::vector<std::pair<std::string, std::string>>& records);
  // Damages the checksum of the entry added last.
  TarWriter& spoil_checksum();

  // What was written so far, without an end.
  const std::string& bytes() const { return bytes_; }
  // A whole archive: the two empty blocks of the end included.
  std::string finished() const { return bytes_ + std::string(1024, '\0'); }

 private:
  void block(const TarEntry& entry);

  std::string bytes_;
  std::size_t last_header_ = 0;
};

// The archive that has only this one file.
std::string tar_of(std::string_view name, std::string_view content);

}  // namespace rig
