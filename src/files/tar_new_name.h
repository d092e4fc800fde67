// A name in an open directory that something new is about to bear. When it is free the new thing is made under it at once;
// otherwise under a hidden name, to take the place of what is there in one step. Destroyed without commit() it leaves nothing.
// One thread. Borrows the directory.
#pragma once

#include <cerrno>
#include <concepts>
#include <string>
#include <string_view>

#include "files/hidden_name.h"

namespace sa {

class TarNewName {
 public:
  TarNewName(int directory, std::string_view name) : directory_(directory), name_(name) {}
  ~TarNewName();
  TarNewName(const TarNewName&) = delete;
  TarNewName& operator=(const TarNewName&) = delete;

  // `make_under(name)` makes the new thing unless the name is taken; it returns 0 or an errno. So does this: EISDIR when a
  // directory is there.
  template <std::invocable<const char*> Make>
  int make(Make make_under) {
    int error = make_under(name_.c_str());
    if (error == EEXIST) error = may_replace();
    while (error == EEXIST) {
      hidden_ = hidden_name();
      error = make_under(current());
    }
    made_ = error == 0;
    return error;
  }
  // Takes its place; 0 or an errno.
  int commit();

  // The name it bears for now.
  const char* current() const { return hidden_.empty() ? name_.c_str() : hidden_.c_str(); }

 private:
  int may_replace() const;  // EEXIST, if so

  int directory_;
  std::string name_;
  std::string hidden_;
  bool made_ = false;
};

}  // namespace sa
