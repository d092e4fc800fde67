#include "daemon/places.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace sa {
namespace {

// What HOME was comes back.
class OtherHome {
 public:
  explicit OtherHome(const char* home) {
    if (const char* was = std::getenv("HOME")) was_ = was;
    if (home) {
      ::setenv("HOME", home, 1);
    } else {
      ::unsetenv("HOME");
    }
  }
  ~OtherHome() { ::setenv("HOME", was_.c_str(), 1); }
  OtherHome(const OtherHome&) = delete;

 private:
  std::string was_;
};

}  // namespace

TEST_CASE("home is what HOME says, without a slash at its end") {
  const OtherHome home("/some/where/");
  CHECK(home_directory() == "/some/where");
}

TEST_CASE("the root can be a home") {
  const OtherHome home("/");
  CHECK(home_directory() == "/");
}

TEST_CASE("a relative HOME would be another place for a daemon, and counts as none: the machine's user has one") {
  std::string without;
  {
    const OtherHome home(nullptr);
    without = home_directory();
    CHECK(without.starts_with('/'));
    if (::getuid() == 0) CHECK(without == "/root");
  }
  const OtherHome home("relative");
  CHECK(home_directory() == without);
}

}  // namespace sa
