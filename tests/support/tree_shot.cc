#include "tree_shot.h"

#include <fcntl.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "process.h"

namespace rig {
namespace {

namespace fs = std::filesystem;

std::string described(const fs::path& path, Times times) {
  const auto status = status_of(path);
  char head[80];
  std::snprintf(head, sizeof head, "%06o", static_cast<unsigned>(status.st_mode));
  std::string out = head;
  if (times == Times::included) {
    std::snprintf(head, sizeof head, " %lld.%09ld n%lu", static_cast<long long>(status.st_mtim.tv_sec), status.st_mtim.tv_nsec,
                  static_cast<unsigned long>(S_ISDIR(status.st_mode) ? 0 : status.st_nlink));
    out += head;
  }
  if (S_ISREG(status.st_mode)) out += " " + read_file(path);
  if (S_ISLNK(status.st_mode)) out += " -> " + link_text(path);
  return out;
}

}  // namespace

TreeShot tree_shot(const fs::path& folder, Times times) {
  TreeShot shot;
  if (!present(folder)) return shot;
  shot.emplace(".", described(folder, times));
  if (!S_ISDIR(status_of(folder).st_mode)) return shot;
  const auto start = folder.native().size() + 1;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    shot.emplace(entry.path().native().substr(start), described(entry.path(), times));
  }
  return shot;
}

std::vector<std::string> names_below(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(folder, absent)) names.push_back(entry.path().filename().native());
  std::ranges::sort(names);
  return names;
}

struct stat status_of(const fs::path& path) {
  struct stat status{};
  if (lstat(path.c_str(), &status) != 0) throw std::runtime_error("nothing at " + path.native());
  return status;
}

bool present(const fs::path& path) {
  struct stat status{};
  return lstat(path.c_str(), &status) == 0;
}

bool is_link(const fs::path& path) { return present(path) && S_ISLNK(status_of(path).st_mode); }

std::string link_text(const fs::path& path) { return fs::read_symlink(path).native(); }

unsigned mode_of(const fs::path& path) { return status_of(path).st_mode & 07777U; }

void set_times(const fs::path& path, timespec modified) {
  const timespec both[2] = {modified, modified};
  if (utimensat(AT_FDCWD, path.c_str(), both, AT_SYMLINK_NOFOLLOW) != 0) throw std::runtime_error("cannot set times");
}

Canary::Canary(fs::path folder) : folder_(std::move(folder)) {
  fs::create_directories(folder_ / "nest");
  write_file(folder_ / "canary", secret);
  write_file(folder_ / "nest/egg", secret);
  before_ = tree_shot(folder_, Times::included);
}

std::vector<std::string> open_below(pid_t pid, const fs::path& folder) {
  std::vector<std::string> found;
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator("/proc/" + std::to_string(pid) + "/fd", gone)) {
    const auto target = fs::read_symlink(entry.path(), gone).native();
    if (target == folder.native() || target.starts_with(folder.native() + "/")) found.push_back(target);
  }
  return found;
}

std::int64_t peak_kib(pid_t pid) {
  const auto status = read_file("/proc/" + std::to_string(pid) + "/status");
  return std::atoll(status.c_str() + status.find("VmHWM:") + 6);
}

void forget_peak(pid_t pid) { write_file("/proc/" + std::to_string(pid) + "/clear_refs", "5"); }

}  // namespace rig
