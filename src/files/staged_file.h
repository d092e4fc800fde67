// A file being written: nameless (or hidden) until commit() lets it take its place, so that others see the old or the new
// content and never a part. Destroyed without commit() it leaves nothing. Blocking; one thread at a time.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "files/resolve.h"

namespace sa {

class StagedFile {
 public:
  // `new_mode`: of a file that does not exist yet, less the umask; an existing one keeps its own.
  // conflict when something else than a regular file is there.
  static Result<StagedFile> begin(Place place, mode_t new_mode = 0666);
  StagedFile(StagedFile&&) noexcept = default;
  StagedFile& operator=(StagedFile&&) noexcept = default;
  ~StagedFile();

  Result<void> write(std::string_view bytes);

  // Looks at the file that is there now (nullptr: none) and says whether it may be replaced.
  using Condition = std::function<Result<void>(const struct stat* present)>;
  // Takes its place. The condition is checked at that moment; no other commit of this process comes between.
  Result<struct stat> commit(const Condition& condition = {});

  std::uint64_t bytes_written() const { return written_; }
  const std::string& path() const { return place_.path; }

 private:
  StagedFile(Place place, UniqueFd file, std::string hidden_name);
  Result<void> take_place(bool present);
  void forget_hidden();

  Place place_;
  UniqueFd file_;
  std::string hidden_name_;  // empty: nameless
  std::uint64_t written_ = 0;
};

}  // namespace sa
