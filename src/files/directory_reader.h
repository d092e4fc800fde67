// Reads the names of an open directory, without "." and "..". Takes a descriptor of its own. Blocking; one thread at a time.
#pragma once

#include <dirent.h>

#include <memory>

namespace sa {

class DirectoryReader {
 public:
  // `directory` stays the caller's and its position untouched.
  explicit DirectoryReader(int directory);

  // nullptr at the end or after a failure.
  const dirent* next();
  int error() const { return error_; }  // an errno; 0 when all went well

 private:
  struct Close {
    void operator()(DIR* stream) const { ::closedir(stream); }
  };
  std::unique_ptr<DIR, Close> stream_;
  int error_ = 0;
};

}  // namespace sa
