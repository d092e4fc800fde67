#include "daemon/private_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "base/unique_fd.h"
#include "base/write_all.h"

namespace sa {

Result<void> write_private_file(const std::string& path, std::string_view bytes) {
  const std::string temporary = fmt::format("{}.{}", path, ::getpid());
  const UniqueFd file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  int error = file ? write_all(file.get(), bytes) : errno;
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return {};
  ::unlink(temporary.c_str());
  return fail(ErrorCode::internal, errno_text(error));
}

}  // namespace sa
