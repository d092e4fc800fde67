// The input is a path, asked for in a tree full of links, in and out. Held: what the root lets through has no "..", unless it
// is absolute; whatever is opened lies below the root; and the kernel's way and our own walk come to the same.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <filesystem>
#include <fstream>
#include <string>

#include "files/resolve.h"
#include "fuzz_input.h"
#include "scratch.h"

namespace sa::fuzz {
namespace {

// Made once per process; links of every kind between a few short names, which inputs hit often.
class Tree {
 public:
  Tree() {
    top_ = scratch_.path();
    root_ = top_ + "/r";
    std::filesystem::create_directories(root_ + "/a/b/c");
    std::filesystem::create_directories(top_ + "/r2");
    std::ofstream(root_ + "/a/f") << "inside";
    std::ofstream(top_ + "/f") << "outside";
    const std::pair<const char*, std::string> links[] = {{"u", ".."},
                                                         {"s", "a/b"},
                                                         {"a/u", ".."},
                                                         {"a/b/t", "../.."},
                                                         {"a/o", "../../r2"},
                                                         {"x", root_},
                                                         {"e", "/etc/passwd"},
                                                         {"l", "l"},
                                                         {"m", "n"},
                                                         {"n", "m"},
                                                         {"d", "a/missing"},
                                                         {"a/b/c/r", "../../../a/b/c"},
                                                         {"f", "a/../a/./f//"},
                                                         {"g", "a/b/../f"}};
    for (const auto& [name, target] : links) std::filesystem::create_symlink(target, root_ + "/" + name);
    kernel_.emplace(std::move(*FileRoot::open(root_, Confined::yes, Resolution::kernel)));
    walk_.emplace(std::move(*FileRoot::open(root_, Confined::yes, Resolution::walk)));
  }

  const std::string& root() const { return root_; }
  const FileRoot& kernel() const { return *kernel_; }
  const FileRoot& walk() const { return *walk_; }

 private:
  Scratch scratch_;
  std::string top_;
  std::string root_;
  std::optional<FileRoot> kernel_;
  std::optional<FileRoot> walk_;
};

std::string real_path(int fd) {
  char path[PATH_MAX];
  const ssize_t size = ::readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), path, sizeof path);
  return {path, static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

bool has_dotdot(const std::string& path) { return ("/" + path + "/").find("/../") != std::string::npos; }

void check(std::string_view input) {
  static const Tree tree;
  const std::string path = input.starts_with('/') ? tree.root() + std::string(input) : std::string(input);
  const auto guarded = tree.kernel().guard(path);
  if (!guarded) {
    const bool refusable = path.empty() || path.find('\0') != path.npos || has_dotdot(path) || input.starts_with('/');
    hold(refusable, "an ordinary path is taken");
    return;
  }
  hold(path.starts_with('/') || !has_dotdot(guarded->to_resolve()), "a relative path goes down only");
  for (const int flags : {O_PATH, O_PATH | O_NOFOLLOW, O_RDONLY | O_DIRECTORY}) {
    const auto by_kernel = open_at(*guarded, flags);
    const auto by_walk = open_at(*tree.walk().guard(path), flags);
    hold(by_kernel.has_value() == by_walk.has_value(), "both ways open the same paths");
    if (!by_kernel) {
      hold(by_kernel.error().code == by_walk.error().code, "both ways fail alike");
      continue;
    }
    const std::string found = real_path(by_kernel->get());
    hold(found == tree.root() || found.starts_with(tree.root() + "/"), "nothing outside is opened");
    hold(found == real_path(by_walk->get()), "both ways open the same file");
  }
  const auto place = place_behind_links(*guarded);
  if (place) {
    const std::string directory = real_path(place->directory.get());
    hold(directory == tree.root() || directory.starts_with(tree.root() + "/"), "a place lies inside");
    hold(!place->name.empty() && place->name != "." && place->name != ".." && place->name.find('/') == std::string::npos,
         "a place is one entry");
  }
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
