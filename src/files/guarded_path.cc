#include "files/guarded_path.h"

#include "files/file_root.h"

namespace sa {
namespace {

std::string joined(std::string_view directory, std::string_view rest) {
  if (directory == ".") return std::string(rest);
  std::string path(directory);
  if (!path.ends_with('/')) path += '/';
  return path.append(rest);
}

// Of "/a/b": "/a"; of "/a" and "/": "/"; of "a" and ".": ".".
std::string directory_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return std::string(path.substr(0, slash == 0 ? 1 : slash));
}

bool is_top(std::string_view path) { return path == "." || path == "/"; }

}  // namespace

GuardedPath::GuardedPath(const FileRoot& root, std::string to_resolve, std::string absolute)
    : root_(&root),
      pin_(root.confines() ? std::make_shared<Pin>() : nullptr),
      to_resolve_(std::move(to_resolve)),
      absolute_(std::move(absolute)) {}

std::expected<int, int> GuardedPath::root_descriptor() const {
  if (!*pin_) {
    auto opened = root_->open_now();
    if (!opened) return std::unexpected(opened.error());
    *pin_ = std::move(*opened);
  }
  return (*pin_)->get();
}

GuardedPath GuardedPath::child(std::string_view name) const {
  return {*this, joined(to_resolve_, name), joined(absolute_, name)};
}

GuardedPath GuardedPath::parent() const {
  if (is_top(to_resolve_)) return *this;
  return {*this, directory_of(to_resolve_), directory_of(absolute_)};
}

std::string_view GuardedPath::name() const {
  if (is_top(to_resolve_)) return {};
  return std::string_view(to_resolve_).substr(to_resolve_.rfind('/') + 1);
}

GuardedPath GuardedPath::through_link(std::string_view text) const {
  while (text.size() > 1 && text.ends_with('/')) text.remove_suffix(1);
  if (text.starts_with('/')) return {*this, std::string(text), std::string(text)};
  return parent().child(text);
}

}  // namespace sa
