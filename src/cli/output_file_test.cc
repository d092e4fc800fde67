#include "cli/output_file.h"

#include <doctest/doctest.h>
#include <sched.h>
#include <sys/fsuid.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/scratch_folder.h"

namespace sa {
namespace {

// While it lives root may do no more with files than others.
class NoRoot {
 public:
  NoRoot() { set(65534); }
  ~NoRoot() { set(::geteuid()); }
  NoRoot(const NoRoot&) = delete;

 private:
  static void set(uid_t user) {
    if (::geteuid() == 0) ::setfsuid(user);
  }
};

bool put(const std::string& name, std::string_view content) {
  auto file = OutputFile::begin(name);
  return file && file->write(content) && file->commit();
}

}  // namespace

TEST_CASE("an output changes its file only when it is complete") {
  const ScratchFolder folder;
  folder.write("file", "before");
  auto file = OutputFile::begin(folder.at("file"));
  REQUIRE(file);
  CHECK(file->write("now"));
  CHECK(folder.read("file") == "before");
  CHECK(file->commit());
  CHECK(folder.read("file") == "now");
}

TEST_CASE("a file that may be written is, also where its folder may not") {
  const ScratchFolder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  folder.write("closed/file", "what was there before", 0666);
  std::filesystem::permissions(folder.at("closed"), std::filesystem::perms(0555));
  const NoRoot no_root;
  auto file = OutputFile::begin(folder.at("closed/file"));
  REQUIRE(file);
  CHECK(folder.read("closed/file") == "what was there before");
  CHECK(file->write("now"));
  CHECK(file->commit());
  CHECK(folder.read("closed/file") == "now");
  CHECK(put(folder.at("closed/file"), ""));
  CHECK(folder.read("closed/file").empty());

  const auto missing = OutputFile::begin(folder.at("closed/missing"));
  REQUIRE_FALSE(missing);
  CHECK(missing.error().what == folder.at("closed/missing") + " cannot be written");
  CHECK(missing.error().why == errno_text(EACCES));
}

TEST_CASE("a file that may not be replaced is said to be so, in words for who has no daemon") {
  const ScratchFolder folder;
  folder.write("shared/file", "of somebody else");
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(folder.at("shared"), std::filesystem::perms(01777));
  if (::geteuid() != 0) return;  // all of it is ours
  const NoRoot no_root;
  auto file = OutputFile::begin(folder.at("shared/file"));
  REQUIRE(file);
  const auto put = file->commit();
  REQUIRE_FALSE(put);
  CHECK(put.error().detail == "You may not replace '" + folder.at("shared/file") + "'. Choose another name.");
}

TEST_CASE("a file that is mounted, as into a container, is written in place") {
  const ScratchFolder folder;
  folder.write("file", "what was there before");
  folder.write("mounted", "");
  constexpr int not_here = 77;
  const pid_t child = ::fork();  // for mounts of its own
  if (child == 0) {
    if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount(folder.at("file").c_str(), folder.at("mounted").c_str(), nullptr, MS_BIND, nullptr) != 0)
      ::_exit(not_here);
    ::_exit(put(folder.at("mounted"), "now") ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  if (WEXITSTATUS(status) == not_here) return;
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(folder.read("file") == "now");
}

}  // namespace sa
