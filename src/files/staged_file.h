// A file being written: nameless (or hidden) until commit() lets it take its place, so that others see the old or the new
// content and never a part. Destroyed without commit() it leaves nothing. Blocking; one thread at a time.
#pragma once

#include <sys/stat.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "files/resolve.h"

namespace sa {

class StagedFile {
 public:
  enum class Naming : bool { nameless, hidden };  // before it takes its place; nameless needs help of the file system

  // `new_mode`: of a file that does not exist yet, less the umask; an existing one keeps its own.
  // conflict when something else than a regular file is there.
  static Result<StagedFile> begin(Place place, mode_t new_mode = 0666, Naming naming = Naming::nameless);
  // For whatever `target` names, behind links. Directories it lacks are made by commit(), so that a file that is given up
  // leaves none.
  static Result<StagedFile> begin(const GuardedPath& target, Naming naming = Naming::nameless);
  StagedFile(StagedFile&& other) noexcept;
  StagedFile& operator=(StagedFile&&) = delete;
  ~StagedFile();

  Result<void> write(std::string_view bytes);

  // Looks at what is there now (nullptr: nothing) and says whether it may be replaced.
  using Condition = std::function<Result<void>(const struct stat* present)>;
  // Asks it now already, when a refusal would spare the writing.
  Result<void> check(const Condition& condition) const;
  // Takes its place and tells what it has become. The condition is checked at that moment; no other commit of this process
  // comes between.
  Result<struct stat> commit(const Condition& condition = {});

  const std::string& path() const { return place_.path; }

 private:
  StagedFile(Place place, UniqueFd file, std::string hidden_name);
  static Result<StagedFile> make(Place place, mode_t mode, Naming naming);
  int stage() const { return stage_ ? stage_.get() : place_.directory.get(); }
  int take_free_name();
  int replace();
  void drop_hidden_name();

  Place place_;
  UniqueFd stage_;                       // the directory it is written in, when that is not the place's
  std::optional<GuardedPath> homeless_;  // the target, while its directory does not exist
  UniqueFd file_;
  std::string hidden_name_;  // empty: nameless
};

}  // namespace sa
