#include "files/tar_name.h"

#include <limits.h>

#include <algorithm>

#include "files/tar_problem.h"

namespace sa {
namespace {

// Why a component may not stand in a name; empty when it may.
std::string_view objection_to_component(std::string_view component) {
  if (component == "..") return "'..' would lead out of the target";
  if (component.size() > NAME_MAX) return "a part of its name is longer than file systems take";
  return {};
}

}  // namespace

Result<std::string> clean_tar_name(std::string_view name) {
  if (name.empty()) return refuse_tar_entry(name, "it has no name");
  if (name.starts_with('/')) return refuse_tar_entry(name, "its name is absolute");
  if (name.contains('\0')) return refuse_tar_entry(name, "its name contains NUL");
  std::string clean;
  for (std::string_view rest = name; !rest.empty();) {
    const std::string_view component = rest.substr(0, rest.find('/'));
    rest.remove_prefix(std::min(component.size() + 1, rest.size()));
    if (component.empty() || component == ".") continue;
    if (const std::string_view why = objection_to_component(component); !why.empty()) return refuse_tar_entry(name, why);
    if (!clean.empty()) clean += '/';
    clean += component;
  }
  if (clean.size() >= PATH_MAX) return refuse_tar_entry(name, "its name is longer than file systems take");
  return clean;
}

TarNameParts split_tar_name(std::string_view clean_name) {
  const std::size_t slash = clean_name.rfind('/');
  if (slash == clean_name.npos) return {{}, clean_name};
  return {clean_name.substr(0, slash), clean_name.substr(slash + 1)};
}

bool stays_inside(std::string_view clean_name, std::string_view text) {
  if (text.starts_with('/') || text.contains('\0')) return false;
  auto ups_left = std::ranges::count(clean_name, '/');
  bool in_a_name = false;
  while (!text.empty()) {
    const std::string_view component = text.substr(0, text.find('/'));
    text.remove_prefix(std::min(component.size() + 1, text.size()));
    if (component.empty() || component == ".") continue;
    if (component != "..") {
      in_a_name = true;
    } else if (in_a_name || ups_left-- == 0) {
      return false;
    }
  }
  return true;
}

}  // namespace sa
