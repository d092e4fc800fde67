#include "daemon/private_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "base/unique_fd.h"
#include "base/write_all.h"

namespace sa {

Result<void> make_private_folder(const std::string& path) {
  for (std::size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
    const std::string part = path.substr(0, at);
    if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST) return fail(ErrorCode::internal, errno_text(errno));
    if (at == std::string::npos) return {};
  }
}

Result<void> write_private_file(const std::string& path, std::string_view bytes) {
  TRY_VOID(make_private_folder(path.substr(0, path.rfind('/'))));
  const std::string temporary = fmt::format("{}.{}", path, ::getpid());
  const UniqueFd file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  int error = file ? write_all(file.get(), bytes) : errno;
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return {};
  ::unlink(temporary.c_str());
  return fail(ErrorCode::internal, errno_text(error));
}

}  // namespace sa
