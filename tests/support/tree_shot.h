// What lies below a folder, for comparing before and after. Reads the disk; no state but the pictures themselves.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace rig {

// Relative name (any bytes) -> kind, mode, and content or link text. The folder itself is ".".
using TreeShot = std::map<std::string, std::string>;
enum class Times : bool { left_out, included };
TreeShot tree_shot(const std::filesystem::path& folder, Times times = Times::left_out);

// Names in a folder, sorted by bytes; nothing if there is no such folder.
std::vector<std::string> names_below(const std::filesystem::path& folder);

struct stat status_of(const std::filesystem::path& path);  // of a link itself
bool present(const std::filesystem::path& path);           // dangling links too
bool is_link(const std::filesystem::path& path);
std::string link_text(const std::filesystem::path& path);
unsigned mode_of(const std::filesystem::path& path);
void set_times(const std::filesystem::path& path, timespec modified);  // of a link itself

// A folder that must stay as it is, whatever happens beside it.
class Canary {
 public:
  static constexpr const char* secret = "the canary sings";

  explicit Canary(std::filesystem::path folder);
  const std::filesystem::path& folder() const { return folder_; }
  bool untouched() const { return tree_shot(folder_, Times::included) == before_; }

 private:
  std::filesystem::path folder_;
  TreeShot before_;
};

// Names of the regular files and directories below `folder` that the process has open.
std::vector<std::string> open_below(pid_t pid, const std::filesystem::path& folder);
// VmHWM; forget_peak() starts it anew.
std::int64_t peak_kib(pid_t pid);
void forget_peak(pid_t pid);

}  // namespace rig
