// For tests: a folder of their own, removed at the end, and short ways to fill it and look into it.
#pragma once

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sa {

class ScratchFolder {
 public:
  explicit ScratchFolder(std::string_view below = "/tmp") {
    std::string pattern = std::string(below) + "/sandbox-agent-test.XXXXXX";
    if (!::mkdtemp(pattern.data())) throw std::runtime_error("cannot make a folder " + pattern);
    path_ = pattern;
  }
  // Directories may have been made unreadable.
  ~ScratchFolder() {
    namespace fs = std::filesystem;
    std::error_code ignored;
    for (fs::recursive_directory_iterator at(path_, ignored), end; at != end; at.increment(ignored))
      if (!at->is_symlink(ignored) && at->is_directory(ignored))
        fs::permissions(at->path(), fs::perms::owner_all, fs::perm_options::add, ignored);
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string at(std::string_view name) const { return path_ + "/" + std::string(name); }

  void write(std::string_view name, std::string_view content, mode_t mode = 0644) const {
    std::filesystem::create_directories(std::filesystem::path(at(name)).parent_path());
    std::ofstream(at(name), std::ios::binary) << content;
    ::chmod(at(name).c_str(), mode);
  }
  std::string read(std::string_view name) const {
    std::ostringstream all;
    all << std::ifstream(at(name), std::ios::binary).rdbuf();
    return all.str();
  }
  bool has(std::string_view name) const {
    return std::filesystem::symlink_status(at(name)).type() != std::filesystem::file_type::not_found;
  }
  void link(std::string_view name, std::string_view target) const { std::filesystem::create_symlink(target, at(name)); }
  void directory(std::string_view name) const { std::filesystem::create_directories(at(name)); }
  mode_t mode(std::string_view name) const {
    struct stat info{};
    return ::stat(at(name).c_str(), &info) == 0 ? info.st_mode & 07777U : 0;
  }
  // The names in a folder, sorted.
  std::vector<std::string> names(std::string_view folder = ".") const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(at(folder))) all.push_back(entry.path().filename());
    std::ranges::sort(all);
    return all;
  }

 private:
  std::string path_;
};

}  // namespace sa
