#include "files/path_walk.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <deque>
#include <string>
#include <vector>

#include "files/link_text.h"

namespace sa {
namespace {

constexpr int most_links = 40;  // as the kernel has it
constexpr int enter = O_PATH | O_NOFOLLOW | O_CLOEXEC;

class Walk {
 public:
  Walk(int root, std::string_view path) {
    way_.emplace_back(::openat(root, ".", enter | O_DIRECTORY));
    prepend(path);
  }

  std::expected<UniqueFd, int> open(int flags) {
    if (!way_.back()) return std::unexpected(errno);
    while (!ahead_.empty()) {
      const std::string name = std::move(ahead_.front());
      ahead_.pop_front();
      if (name == ".") continue;
      if (name == "..") {
        if (way_.size() == 1) return std::unexpected(EXDEV);
        way_.pop_back();
        continue;
      }
      UniqueFd found(::openat(here(), name.c_str(), enter));
      if (!found) return std::unexpected(errno);
      struct stat info{};
      if (::fstat(found.get(), &info) != 0) return std::unexpected(errno);
      const bool last = ahead_.empty();
      if (S_ISLNK(info.st_mode) && !(last && (flags & O_NOFOLLOW))) {
        if (const int error = follow(found.get())) return std::unexpected(error);
      } else if (last) {
        UniqueFd opened(::openat(here(), name.c_str(), flags | O_NOFOLLOW | O_CLOEXEC));
        if (opened) return opened;
        if (errno != ELOOP || (flags & O_NOFOLLOW) || ++links_ > most_links) return std::unexpected(errno);
        ahead_.push_front(name);  // it has become a link this moment
      } else {
        if (!S_ISDIR(info.st_mode)) return std::unexpected(ENOTDIR);
        way_.push_back(std::move(found));
      }
    }
    UniqueFd opened(::openat(here(), ".", flags | O_CLOEXEC));
    if (!opened) return std::unexpected(errno);
    return opened;
  }

 private:
  int here() const { return way_.back().get(); }

  int follow(int link) {
    if (++links_ > most_links) return ELOOP;
    const auto text = read_link(link, "");
    if (!text) return text.error();
    if (text->empty()) return ENOENT;
    if (text->starts_with('/')) return EXDEV;
    prepend(*text);
    return 0;
  }

  // A "." or slash at the end stays, as ".": what is before it must be a directory.
  void prepend(std::string_view path) {
    const bool directory = path.ends_with('/') || path.ends_with("/.");
    std::size_t at = 0;
    while (!path.empty()) {
      const std::string_view component = path.substr(0, path.find('/'));
      path.remove_prefix(std::min(path.size(), component.size() + 1));
      if (component.empty() || component == ".") continue;
      ahead_.insert(ahead_.begin() + static_cast<std::ptrdiff_t>(at++), std::string(component));
    }
    if (directory) ahead_.insert(ahead_.begin() + static_cast<std::ptrdiff_t>(at), ".");
  }

  std::vector<UniqueFd> way_;      // from the root to where we are
  std::deque<std::string> ahead_;  // components still to walk
  int links_ = 0;
};

}  // namespace

std::expected<UniqueFd, int> walk_beneath(int root, std::string_view path, int flags) { return Walk(root, path).open(flags); }

}  // namespace sa
