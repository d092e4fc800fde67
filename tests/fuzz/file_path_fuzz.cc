// The input is a path, asked for in a tree full of links, in and out; behind a '*' it is repeated until it is longer than the
// kernel takes at once. Held: what the root lets through has no "..", unless it is absolute; whatever is opened lies below the
// root; and the kernel's way and our own walk come to the same.
// Inputs: at most 128 bytes.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <utility>

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
    inside_.insert(identity_at(root_));
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root_)) inside_.insert(identity_at(entry.path()));
  }

  const std::string& root() const { return root_; }
  const FileRoot& kernel() const { return *kernel_; }
  const FileRoot& walk() const { return *walk_; }

  using Identity = std::pair<dev_t, ino_t>;
  static Identity identity_of(int fd) {
    struct stat seen{};
    hold(::fstat(fd, &seen) == 0, "what is open can be looked at");
    return {seen.st_dev, seen.st_ino};
  }
  // Nothing has a second name, so whatever is one of these lies below the root.
  bool has(const Identity& what) const { return inside_.contains(what); }

 private:
  static Identity identity_at(const std::string& path) {
    struct stat seen{};
    hold(::lstat(path.c_str(), &seen) == 0, "what is there can be looked at");
    return {seen.st_dev, seen.st_ino};
  }

  Scratch scratch_;
  std::string top_;
  std::string root_;
  std::optional<FileRoot> kernel_;
  std::optional<FileRoot> walk_;
  std::set<Identity> inside_;
};

bool has_dotdot(const std::string& path) { return ("/" + path + "/").find("/../") != std::string::npos; }

std::string as_long_as_can_be(std::string_view part) {
  std::string all;
  while (all.size() <= PATH_MAX) all += part;
  return all;
}

void check(std::string_view input) {
  static const Tree tree;
  const std::string repeated = input.starts_with('*') && input.size() > 1 ? as_long_as_can_be(input.substr(1)) : "";
  if (!repeated.empty()) input = repeated;
  const std::string path = input.starts_with('/') ? tree.root() + std::string(input) : std::string(input);
  const auto guarded = tree.kernel().guard(path);
  if (!guarded) {
    const bool refusable =
        path.empty() || path.size() >= PATH_MAX || path.find('\0') != path.npos || has_dotdot(path) || input.starts_with('/');
    hold(refusable, "an ordinary path is taken");
    return;
  }
  const auto guarded_walk = tree.walk().guard(path);
  hold(guarded_walk.has_value(), "both ways take the same paths");
  hold(path.starts_with('/') || !has_dotdot(guarded->to_resolve()), "a relative path goes down only");
  for (const int flags : {O_PATH, O_PATH | O_NOFOLLOW, O_RDONLY | O_DIRECTORY}) {
    const auto by_kernel = open_at(*guarded, flags);
    const auto by_walk = open_at(*guarded_walk, flags);
    hold(by_kernel.has_value() == by_walk.has_value(), "both ways open the same paths");
    if (!by_kernel) {
      hold(by_kernel.error().code == by_walk.error().code, "both ways fail alike");
      continue;
    }
    const auto found = Tree::identity_of(by_kernel->get());
    hold(tree.has(found), "nothing outside is opened");
    hold(found == Tree::identity_of(by_walk->get()), "both ways open the same file");
  }
  const auto place = place_behind_links(*guarded);
  if (place) {
    hold(tree.has(Tree::identity_of(place->directory.get())), "a place lies inside");
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
