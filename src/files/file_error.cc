#include "files/file_error.h"

#include <fmt/format.h>

#include <cerrno>

namespace sa {
namespace {

Error missing(std::string_view path) {
  return Error{ErrorCode::not_found, fmt::format("There is no '{}'. Check the path.", path), {}}
      .with_text("resource", "file")
      .with_text("id", path);
}

Error conflict(std::string_view path, std::string_view what) {
  return {ErrorCode::conflict, fmt::format("'{}' {}", path, what), {}};
}

}  // namespace

Error file_error(int error_number, std::string_view path) {
  switch (error_number) {
    case ENOENT: return missing(path);
    case EACCES:
    case EPERM:
      return {
          ErrorCode::forbidden, fmt::format("The daemon's user may not do this with '{}'. Check its permissions.", path), {}};
    case EROFS:
      return {ErrorCode::forbidden, fmt::format("'{}' is on a read-only file system. Choose another place.", path), {}};
    case EXDEV:
      return {ErrorCode::forbidden, fmt::format("'{}' leads out of the file root. Choose a path below it.", path), {}};
    case EEXIST: return conflict(path, "exists already. Choose another name, or allow overwriting.");
    case ENOTEMPTY: return conflict(path, "is not empty. Delete it with recursive=true.");
    case EISDIR: return conflict(path, "is a directory. Name a file.");
    case ENOTDIR: return conflict(path, "is not a directory, or something on the way to it is not. Check the path.");
    case ELOOP: return conflict(path, "leads through a loop of symbolic links, or one that is not followed here.");
    case ENXIO:
    case ENODEV: return conflict(path, "is a socket, or a device that is not there. Name a regular file.");
    case EBUSY:
    case ETXTBSY: return conflict(path, "is in use. Try again when nobody changes it, or choose another name.");
    case ENAMETOOLONG:
    case EINVAL:
    case EILSEQ:
      return Error{
          ErrorCode::invalid_request, fmt::format("The file system does not take this name: {}.", errno_text(error_number)), {}}
          .with_text("field", "path");
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return {ErrorCode::no_space,
              fmt::format("There is no room for '{}': {}. Free some space.", path, errno_text(error_number)),
              {}};
    case EMFILE:
    case ENFILE:
    case ENOMEM:
      return {
          ErrorCode::overloaded, fmt::format("The system is short of resources: {}. Try again.", errno_text(error_number)), {}};
    default: return {ErrorCode::internal, fmt::format("The file system failed: {}.", errno_text(error_number)), {}};
  }
}

}  // namespace sa
