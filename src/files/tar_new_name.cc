#include "files/tar_new_name.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sa {

TarNewName::~TarNewName() {
  if (made_) ::unlinkat(directory_, current(), 0);
}

int TarNewName::commit() {
  if (!hidden_.empty() && ::renameat(directory_, hidden_.c_str(), directory_, name_.c_str()) != 0) return errno;
  made_ = false;
  return 0;
}

int TarNewName::may_replace() const {
  struct stat found{};
  if (::fstatat(directory_, name_.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) return errno == ENOENT ? EEXIST : errno;
  return S_ISDIR(found.st_mode) ? EISDIR : EEXIST;
}

}  // namespace sa
