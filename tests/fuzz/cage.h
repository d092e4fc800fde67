// A directory to unpack in, and a canary beside it that must not notice. What the targets that unpack archives hold.
#pragma once

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/utf8.h"
#include "fuzz_input.h"

namespace sa::fuzz {

namespace fs = std::filesystem;

class Cage {
 public:
  enum class Inside : std::uint8_t { nothing, traps };

  explicit Cage(Inside inside) {
    std::string name = ::access("/dev/shm", W_OK) == 0 ? "/dev/shm/tar_fuzz_XXXXXX" : "/tmp/tar_fuzz_XXXXXX";
    hold(::mkdtemp(name.data()) != nullptr, "there is a place to unpack in");
    root_ = name;
    fs::create_directories(root_ / "canary");
    fs::create_directories(target());
    std::ofstream(root_ / "canary" / "song") << "sings";
    if (inside == Inside::traps) set_traps();
    before_ = outside();
  }
  ~Cage() {
    for (fs::recursive_directory_iterator at(root_), end; at != end; ++at)
      if (!at->is_symlink() && at->is_directory()) fs::permissions(*at, fs::perms::owner_all, fs::perm_options::add);
    fs::remove_all(root_);
  }
  Cage(const Cage&) = delete;
  Cage& operator=(const Cage&) = delete;

  fs::path target() const { return root_ / "target"; }
  void hold_all(std::string_view archive) const {
    hold(outside() == before_, "nothing but the target changes");
    for (const auto& entry : fs::recursive_directory_iterator(target(), fs::directory_options::skip_permission_denied)) {
      const std::string name = entry.path().filename();
      hold(!name.starts_with(".sandbox-agent-") || archive.contains(name), "nothing hidden is left");
    }
  }

 private:
  void set_traps() const {
    fs::create_directories(target() / "d");
    std::ofstream(target() / "f") << "old";
    fs::create_directory_symlink("../canary", target() / "l");
    fs::create_symlink(root_ / "canary" / "song", target() / "d" / "l");
  }
  // Everything that can be known of what is not in the target.
  std::string outside() const {
    std::string all;
    const auto add = [&](const fs::path& path) {
      struct stat seen{};
      hold(::lstat(path.c_str(), &seen) == 0, "the canary lives");
      all += fmt::format("{} {} {:o} {} {} {}.{} {}.{}\n", path.native(), seen.st_ino, seen.st_mode, seen.st_nlink,
                         seen.st_size, seen.st_mtim.tv_sec, seen.st_mtim.tv_nsec, seen.st_ctim.tv_sec, seen.st_ctim.tv_nsec);
    };
    add(root_);
    for (const auto& entry : fs::directory_iterator(root_))
      if (entry.path() != target()) add(entry.path());
    for (const auto& entry : fs::directory_iterator(root_ / "canary")) add(entry.path());
    std::ifstream song(root_ / "canary" / "song");
    return all.append(std::istreambuf_iterator<char>(song), {});
  }

  fs::path root_;
  std::string before_;
};

inline void hold_well_formed(const Error& error) {
  hold(is_utf8(error.detail), "a refusal is well-formed");
  for (const ErrorExtra& extra : error.extras) hold(is_utf8(extra.json), "what it carries is well-formed");
}

}  // namespace sa::fuzz
