#include "base/random_hex.h"

#include <doctest/doctest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>

#include <set>
#include <thread>

namespace sa {
namespace {

// From now on the kernel refuses this thread random numbers, as some sandboxes do.
bool forbid_getrandom() {
  sock_filter rules[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                         BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getrandom, 0, 1),
                         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog program{std::size(rules), rules};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

void check_a_thousand() {
  std::set<std::string> seen;
  for (int i = 0; i < 1'000; ++i) seen.insert(random_hex(12));
  CHECK(seen.size() == 1'000);
  CHECK(seen.begin()->size() == 24);
  CHECK(seen.begin()->find_first_not_of("0123456789abcdef") == std::string::npos);
}

}  // namespace

TEST_CASE("no two random names are alike, and each is as long as asked for") {
  check_a_thousand();
  CHECK(random_hex(1).size() == 2);
}

TEST_CASE("names are all different also where the system forbids random numbers") {
  bool forbidden = false;
  std::thread([&] {
    char byte = 0;
    forbidden = forbid_getrandom() && ::getrandom(&byte, 1, 0) < 0;
    check_a_thousand();
  }).join();
  CHECK(forbidden);
}

}  // namespace sa
