// For tests: while it lives the process may open few files. One at a time, the tests' thread.
#pragma once

#include <sys/resource.h>

namespace sa {

class FewDescriptors {
 public:
  explicit FewDescriptors(rlim_t most) {
    ::getrlimit(RLIMIT_NOFILE, &original_);
    const rlimit lowered{most, original_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &lowered);
  }
  ~FewDescriptors() { ::setrlimit(RLIMIT_NOFILE, &original_); }
  FewDescriptors(const FewDescriptors&) = delete;

 private:
  rlimit original_{};
};

}  // namespace sa
