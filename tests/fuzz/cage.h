// A directory to unpack in, and a canary beside it that must not notice. What the targets that unpack archives hold. Made once
// for all inputs; each begins with what fill() puts there and ends with empty(), which have nothing to do when the last input
// changed nothing: most are refused before they do.
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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
  void fill() {
    if (std::exchange(is_filled_, true)) return;
    if (inside_ == Inside::traps) set_traps();
    remember();
  }

  struct Entry {
    std::string path;  // below the target
    int folder = -1;   // the one it lies in, open
    bool is_link = false, is_directory = false;
    const char* name() const { return path.c_str() + (path.rfind('/') + 1); }  // npos + 1 is 0
  };

  // Holds what an archive may do, and more where `also` asks for it of all that is there; then forgets what it did.
  void end(std::string_view archive, auto also) {
    hold(outside() == before_, "nothing but the target changes");
    if (!is_touched()) return;
    Listing found;
    list(found, open_below(target_.get(), "."), "");
    for (const Entry& entry : found.entries)
      hold(!std::string_view(entry.name()).starts_with(".sandbox-agent-") || archive.contains(entry.name()),
           "nothing hidden is left");
    also(found.entries);
    empty(found);
  }
  void end(std::string_view archive) {
    end(archive, [](const auto&) {});
  }

 private:
  // Everything in the target, directories before what is in them.
  struct Listing {
    std::vector<Entry> entries;
    std::vector<UniqueFd> folders;
  };

  // From the folders themselves: a long path costs the kernel more than all the rest, or is too long for it.
  void empty(const Listing& found) {
    is_filled_ = false;
    for (std::size_t i = found.entries.size(); i-- > 0;) {
      const Entry& entry = found.entries[i];
      hold(::unlinkat(entry.folder, entry.name(), entry.is_directory ? AT_REMOVEDIR : 0) == 0, "the cage can be emptied");
    }
  }

  // Whether anything was made, removed or renamed in there since fill(), were it for a moment only.
  bool is_touched() const { return marks() != kept_; }

  void make_folder(std::string_view name) const { hold(::mkdir(scratch_.at(name).c_str(), 0755) == 0, "there is a cage"); }

  void set_traps() const {
    const UniqueFd file(::openat(target_.get(), "f", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    const bool made = ::write(file.get(), "old", 3) == 3 && ::mkdirat(target_.get(), "d", 0755) == 0 &&
                      ::symlinkat("../canary", target_.get(), "l") == 0 &&
                      ::symlinkat(scratch_.at("canary/song").c_str(), target_.get(), "d/l") == 0;
    hold(made, "the traps are set");
  }

  // The times of what is in the target are set to one that no clock shows; whatever is done there sets another.
  void remember() {
    constexpr timespec never{86'400, 123'456'789};
    constexpr timespec both[] = {never, never};
    for (const char* name : watched())
      hold(::utimensat(target_.get(), name, both, AT_SYMLINK_NOFOLLOW) == 0, "what is there can be marked");
    kept_ = marks();
  }

  std::span<const char* const> watched() const {
    static constexpr const char* names[] = {".", "d", "f"};
    return std::span(names).first(inside_ == Inside::traps ? 3 : 1);
  }

  using Marks = std::array<std::array<std::uint64_t, 5>, 3>;
  Marks marks() const {
    Marks all{};
    for (std::size_t i = 0; i < watched().size(); ++i) {
      struct stat seen{};
      if (::fstatat(target_.get(), watched()[i], &seen, AT_SYMLINK_NOFOLLOW) != 0) continue;
      all[i] = {seen.st_ino, seen.st_mode, seen.st_nlink, static_cast<std::uint64_t>(seen.st_mtim.tv_sec),
                static_cast<std::uint64_t>(seen.st_mtim.tv_nsec)};
    }
    return all;
  }

  // With as few system calls as it takes: archives are fond of deep folders.
  static void list(Listing& all, UniqueFd opened, const std::string& prefix) {
    const int folder = all.folders.emplace_back(std::move(opened)).get();
    const std::size_t first = all.entries.size();
    alignas(dirent64) static char buffer[16 * 1024];
    for (ssize_t size = 0; (size = ::getdents64(folder, buffer, sizeof buffer)) != 0;) {
      hold(size > 0, "the target can be read");
      for (ssize_t at = 0; at < size;) {
        const auto* entry = reinterpret_cast<const dirent64*>(buffer + at);
        at += entry->d_reclen;
        const std::string_view name = entry->d_name;
        if (name == "." || name == "..") continue;
        all.entries.push_back({prefix + std::string(name), folder, entry->d_type == DT_LNK, entry->d_type == DT_DIR});
      }
    }
    for (std::size_t i = first, last = all.entries.size(); i < last; ++i) {
      if (!all.entries[i].is_directory) continue;
      UniqueFd below = open_below(folder, all.entries[i].name());
      list(all, std::move(below), all.entries[i].path + "/");
    }
  }

  // What an archive forbids, it forbids us too.
  static UniqueFd open_below(int directory, const char* name) {
    constexpr int how = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    static const bool is_mighty = ::geteuid() == 0;
    if (!is_mighty) ::fchmodat(directory, name, 0700, 0);
    return UniqueFd(::openat(directory, name, how));
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
  Marks kept_{};
  bool is_filled_ = false;
};

inline void hold_well_formed(const Error& error) {
  hold(is_utf8(error.detail), "a refusal is well-formed");
  for (const ErrorExtra& extra : error.extras) hold(is_utf8(extra.json), "what it carries is well-formed");
}

}  // namespace sa::fuzz
