#include "files/names_in.h"

#include <fcntl.h>

#include <algorithm>

#include "base/unique_fd.h"
#include "files/directory_reader.h"

namespace sa {

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  const UniqueFd directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory) return names;
  DirectoryReader reader(directory.get());
  while (const dirent* entry = reader.next()) names.emplace_back(entry->d_name);
  std::ranges::sort(names);
  return names;
}

}  // namespace sa
