// Where the tests of the file API play: a daemon, its client and a folder to work in. Main thread only.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "support/files.h"
#include "support/tree_shot.h"

namespace rig {

// The daemon takes paths from its home; the folder `w` in it is the tests' own.
struct HomeScene {
  Daemon daemon;
  Files files;
  std::filesystem::path work;

  explicit HomeScene(std::vector<std::string> flags = {}) : daemon(std::move(flags)), files(daemon), work(daemon.home() / "w") {
    std::filesystem::create_directory(work);
  }
  std::string at(std::string_view name) const { return (work / name).native(); }
  void write(std::string_view name, std::string_view content) const { write_file(work / name, content); }
  std::string read(std::string_view name) const { return read_file(work / name); }
};

// A folder in memory, for what is large or many: there the disk is not what is measured, and another device than the home.
class MemoryFolder {
 public:
  MemoryFolder() {
    if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot make a folder in /dev/shm");
  }
  ~MemoryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  MemoryFolder(const MemoryFolder&) = delete;
  MemoryFolder& operator=(const MemoryFolder&) = delete;
  const std::string& path() const { return path_; }
  std::string at(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_ = "/dev/shm/sandbox-agent-test.XXXXXX";
};

// A daemon confined to <folder>/root, with a canary in <folder>/outside.
struct ConfinedScene {
  TempDir folder;
  std::filesystem::path root = made(folder.path() / "root");
  Canary canary{folder.path() / "outside"};
  Daemon daemon;
  Files files;

  explicit ConfinedScene(std::string_view root_as_given = "root")
      : daemon(DaemonSetup{.flags = {"--fs-root", (folder.path() / root_as_given).native()},
                           .prepare =
                               [this, root_as_given](const auto&) {
                                 if (!present(folder.path() / root_as_given)) {
                                   std::filesystem::create_symlink("root", folder.path() / root_as_given);
                                 }
                               }}),
        files(daemon) {}
  void write(std::string_view name, std::string_view content) const { write_file(root / name, content); }
  void link(std::string_view name, const std::filesystem::path& target) const {
    std::filesystem::create_symlink(target, root / name);
  }

 private:
  static std::filesystem::path made(std::filesystem::path path) {
    std::filesystem::create_directory(path);
    return path;
  }
};

// An RFC 3339 time in UTC.
inline bool is_utc_time(std::string_view text) {
  static constexpr std::string_view shape = "dddd-dd-ddTdd:dd:dd";
  if (text.size() <= shape.size() || !text.ends_with('Z')) return false;
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t i = 0; i < text.size() - 1; ++i) {
    const char wanted = i < shape.size() ? shape[i] : i == shape.size() ? '.' : 'd';
    if (wanted == 'd' ? !digit(text[i]) : text[i] != wanted) return false;
  }
  return true;
}

inline std::string text_in(const boost::json::value& object, std::string_view member) {
  const auto value = at_path(object, member);
  return value.is_string() ? std::string(value.as_string()) : "";
}

// Bytes that differ from place to place.
inline std::string patterned(std::size_t size, unsigned seed = 1) {
  std::string out(size, '\0');
  for (auto& c : out) c = static_cast<char>((seed = seed * 1664525U + 1013904223U) >> 24U);
  return out;
}

// Whether the machine is used as it comes: no sanitizer that slows it down and keeps freed memory.
inline bool plain_build() { return scaled(milliseconds(100)) == milliseconds(100); }

}  // namespace rig
