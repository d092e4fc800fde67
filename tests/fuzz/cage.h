// A directory to unpack in, and a canary beside it that must not notice. What the targets that unpack archives hold. Made once
// for all inputs; each begins with what fill() puts there and ends with empty().
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "base/utf8.h"
#include "fuzz_input.h"
#include "scratch.h"

namespace sa::fuzz {

class Cage {
 public:
  enum class Inside : std::uint8_t { nothing, traps };

  explicit Cage(Inside inside) : inside_(inside) {
    make_folder("canary");
    make_folder("target");
    scratch_.write("canary/song", "sings");
    root_.reset(::open(scratch_.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    target_.reset(::open(target().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    song_.reset(::open(scratch_.at("canary/song").c_str(), O_RDONLY | O_CLOEXEC));
    before_ = outside();
  }

  std::string target() const { return scratch_.at("target"); }

  // A file, a directory, and links that lead out.
  void fill() const {
    if (inside_ == Inside::nothing) return;
    const UniqueFd file(::openat(target_.get(), "f", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    const bool made = ::write(file.get(), "old", 3) == 3 && ::mkdirat(target_.get(), "d", 0755) == 0 &&
                      ::symlinkat("../canary", target_.get(), "l") == 0 &&
                      ::symlinkat(scratch_.at("canary/song").c_str(), target_.get(), "d/l") == 0;
    hold(made, "the traps are set");
  }

  struct Entry {
    std::string path;  // below the target
    bool is_link = false, is_directory = false;
    std::string_view name() const { return std::string_view(path).substr(path.rfind('/') + 1); }  // npos + 1 is 0
  };

  // Everything in the target, directories before what is in them.
  std::vector<Entry> entries() const {
    std::vector<Entry> all;
    list(target_.get(), "", all);
    return all;
  }

  void hold_all(std::string_view archive, const std::vector<Entry>& found) const {
    hold(outside() == before_, "nothing but the target changes");
    for (const Entry& entry : found)
      hold(!entry.name().starts_with(".sandbox-agent-") || archive.contains(entry.name()), "nothing hidden is left");
  }

  void empty(const std::vector<Entry>& found) const {
    for (std::size_t i = found.size(); i-- > 0;) {
      const int removed = ::unlinkat(target_.get(), found[i].path.c_str(), found[i].is_directory ? AT_REMOVEDIR : 0);
      if (removed != 0) remove_slowly(found[i]);
    }
  }

 private:
  void make_folder(std::string_view name) const { hold(::mkdir(scratch_.at(name).c_str(), 0755) == 0, "there is a cage"); }

  // A path that is longer than the kernel takes at once.
  void remove_slowly(const Entry& entry) const {
    UniqueFd directory(::dup(target_.get()));
    std::string_view rest = entry.path;
    for (std::size_t slash = 0; (slash = rest.find('/')) != rest.npos; rest.remove_prefix(slash + 1)) {
      const int below =
          ::openat(directory.get(), std::string(rest.substr(0, slash)).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      directory.reset(below);
    }
    const int removed = ::unlinkat(directory.get(), std::string(rest).c_str(), entry.is_directory ? AT_REMOVEDIR : 0);
    hold(removed == 0, "the cage can be emptied");
  }

  static void list(int directory, const std::string& prefix, std::vector<Entry>& all) {
    const std::unique_ptr<DIR, int (*)(DIR*)> reader(::fdopendir(::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)),
                                                     ::closedir);
    hold(reader != nullptr, "the target can be read");
    while (const dirent* entry = ::readdir(reader.get())) {
      const std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      all.push_back({prefix + std::string(name), entry->d_type == DT_LNK, entry->d_type == DT_DIR});
      if (entry->d_type != DT_DIR) continue;
      UniqueFd below(::openat(directory, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      if (!below && errno == EACCES) {  // what an archive forbids, it forbids us too
        ::fchmodat(directory, entry->d_name, 0700, 0);
        below.reset(::openat(directory, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      }
      ::fchmod(below.get(), 0700);
      list(below.get(), prefix + std::string(name) + "/", all);
    }
  }

  // Everything that can be known of what is not in the target.
  std::string outside() const {
    std::string all;
    for (const char* path : {".", "canary", "canary/song"}) {
      struct stat seen{};
      hold(::fstatat(root_.get(), path, &seen, AT_SYMLINK_NOFOLLOW) == 0, "the canary lives");
      for (const auto fact : {static_cast<long long>(seen.st_ino), static_cast<long long>(seen.st_mode),
                              static_cast<long long>(seen.st_nlink), static_cast<long long>(seen.st_size),
                              static_cast<long long>(seen.st_mtim.tv_sec), static_cast<long long>(seen.st_mtim.tv_nsec),
                              static_cast<long long>(seen.st_ctim.tv_sec), static_cast<long long>(seen.st_ctim.tv_nsec)})
        all.append(reinterpret_cast<const char*>(&fact), sizeof fact);
    }
    char words[8];
    const ssize_t size = ::pread(song_.get(), words, sizeof words, 0);
    return all.append(words, static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  }

  Scratch scratch_;
  Inside inside_;
  UniqueFd root_, target_, song_;
  std::string before_;
};

inline void hold_well_formed(const Error& error) {
  hold(is_utf8(error.detail), "a refusal is well-formed");
  for (const ErrorExtra& extra : error.extras) hold(is_utf8(extra.json), "what it carries is well-formed");
}

}  // namespace sa::fuzz
