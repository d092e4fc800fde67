#include "files/tar_problem.h"

#include <fmt/format.h>

#include <cerrno>

#include "base/utf8.h"
#include "files/file_error.h"

namespace sa {
namespace {

constexpr std::size_t longest_in_words = 512;

}  // namespace

std::string tar_name_for_words(std::string_view name) {
  std::string words = repair_utf8(name, longest_in_words);
  if (name.size() > longest_in_words) words += "…";
  return words;
}

std::unexpected<Error> refuse_tar_entry(std::string_view name, std::string_view why) {
  const std::string words = tar_name_for_words(name);
  return fail(Error{
      ErrorCode::invalid_request,
      fmt::format("The archive's entry '{}' is not taken: {}. Pack the archive without it.", words, why),
      {}}.with_text("path", words));
}

std::unexpected<Error> fail_tar_entry(int error_number, std::string_view path) {
  const std::string words = tar_name_for_words(path);
  if (error_number == ENOENT) {
    return fail(ErrorCode::conflict,
                fmt::format("The directory of '{}' vanished while the archive was being unpacked. Send it again.", words));
  }
  return fail_file(error_number, words);
}

std::unexpected<Error> damaged_tar(std::string_view why) {
  return fail(ErrorCode::invalid_request,
              fmt::format("The archive is damaged: {}. Pack and send it again.", repair_utf8(why, longest_in_words)));
}

std::unexpected<Error> tar_too_large(unsigned long long limit) {
  return fail(Error{
      ErrorCode::payload_too_large,
      fmt::format("The unpacked archive is larger than {} bytes. Send it in parts, or raise the limit.", limit),
      {}}.with_number("limit", static_cast<long long>(limit)));
}

}  // namespace sa
