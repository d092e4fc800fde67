// What is said when an archive or one of its entries is not taken. Pure functions; names may be any bytes.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sa {

// A name for words: well-formed UTF-8, cut when it is very long.
std::string tar_name_for_words(std::string_view name);

// invalid_request: the archive's entry `name` is not taken. `why` continues "…: ".
std::unexpected<Error> refuse_tar_entry(std::string_view name, std::string_view why);

// A system call failed for the entry at the absolute `path`.
std::unexpected<Error> fail_tar_entry(int error_number, std::string_view path);

// invalid_request: the archive as a whole cannot be read further. `why` continues "…: ".
std::unexpected<Error> damaged_tar(std::string_view why);

// payload_too_large, with the limit.
std::unexpected<Error> tar_too_large(unsigned long long limit);

}  // namespace sa
