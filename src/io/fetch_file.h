// Fetching into an open file, and hashing on the way. Blocking, like fetch().
#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include "io/fetch.h"

namespace sa {

struct FetchedFile {
  FetchAnswer answer;
  std::string sha256;  // of what was written
};

// Writes at the position of `fd`, which the caller opened and closes; after an error what came before it has been written.
// Error: a file that cannot be written is `sink`, with no_space or internal as its cause.
std::expected<FetchedFile, FetchError> fetch_to_file(const FetchRequest& request, int fd);
std::expected<FetchedFile, FetchError> fetch_to_file(const FetchRequest& request, int fd, const Environment& environment);

}  // namespace sa
