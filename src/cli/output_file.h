// The file an --output names: it appears, or changes, only when it is complete and committed. What is no file, such as a pipe
// or /dev/null, gets everything as it comes; so does a file whose place no other can take: it is mounted there, or its folder
// may not be written. Blocking; Ctrl-C is heard at a pipe whose reader does not come or does not read.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/failure.h"
#include "base/unique_fd.h"
#include "files/staged_file.h"

namespace sa {

class OutputFile {
 public:
  // Failure: its folder, or what is there already, cannot be used; interrupted.
  static Outcome<OutputFile> begin(const std::string& name);

  Result<void> write(std::string_view bytes);
  Result<void> commit();

 private:
  struct InPlace {
    UniqueFd file;
    bool is_begun = false;  // what was there is gone
  };

  explicit OutputFile(StagedFile file) : target_(std::move(file)) {}
  explicit OutputFile(InPlace place) : target_(std::move(place)) {}
  static Outcome<OutputFile> in_place(const std::string& name, UniqueFd file);
  static void begin_anew(InPlace& place);

  std::variant<StagedFile, InPlace> target_;
};

}  // namespace sa
