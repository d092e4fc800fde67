// A disk on which upper and lower case are the same in names.
#include <doctest/doctest.h>

#include "folding_disk.h"
#include "server_run.h"
#include "support/files.h"

using namespace rig;
using Names = FoldingDisk::Names;

namespace {

// A daemon that has such a disk at ~/disk.
struct FoldingScene {
  TempDir home;
  ServerRun server;
  Files files;
  FoldingDisk disk;

  explicit FoldingScene(Names names)
      : server(home.path(), std::string("mkdir \"$HOME/disk\" && ") + in_own_namespace, {}),
        files(server.port, text_at(server.out(), "token")),
        disk(server.process.pid(), home.path() / "disk", std::move(names)) {}
};

}  // namespace

TEST_SUITE_BEGIN("fs");

TEST_CASE("where case does not matter a move onto itself in another case renames, whatever else has another name of the file") {
  if (!FuseDisk::available()) return;
  FoldingScene s({{"lone", 2}, {"linked", 3}, {"link", 3}, {"folder", FoldingDisk::a_directory}});
  for (const auto& [from, to] : {std::pair("lone", "Lone"), std::pair("linked", "LINKED"), std::pair("folder", "Folder")}) {
    CAPTURE(from);
    CHECK_EQ(problem_of(s.files.move(std::string("disk/") + from, std::string("disk/") + to)), "409 conflict");
    CHECK_EQ(s.files.move_over(std::string("disk/") + from, std::string("disk/") + to).status, 200);
  }
  CHECK(s.disk.names() == Names{{"Lone", 2}, {"LINKED", 3}, {"link", 3}, {"Folder", FoldingDisk::a_directory}});
}

TEST_CASE("where case does not matter, too, a move between two names of one file leaves the one name") {
  if (!FuseDisk::available()) return;
  FoldingScene s({{"one", 2}, {"two", 2}});
  CHECK_EQ(s.files.move_over("disk/one", "disk/two").status, 200);
  CHECK(s.disk.names() == Names{{"two", 2}});
}

TEST_SUITE_END();
