#include "files/file_root.h"

#include <doctest/doctest.h>

#include <climits>

#include "base/scratch_folder.h"

namespace sa {
namespace {

ErrorCode refusal(const FileRoot& root, std::string_view path) {
  const auto guarded = root.guard(path);
  REQUIRE(!guarded);
  return guarded.error().code;
}

}  // namespace

TEST_CASE("a relative path lies below the root, in whatever spelling") {
  const auto root = FileRoot::open("/home/me//", Confined::no);
  CHECK(root->guard("a/b")->absolute() == "/home/me/a/b");
  CHECK(root->guard("./a//b/./")->absolute() == "/home/me/a/b");
  CHECK(root->guard(".")->absolute() == "/home/me");
  CHECK(root->guard("..a/b..")->absolute() == "/home/me/..a/b..");
  CHECK(root->guard("~/x\\..\\y")->absolute() == "/home/me/~/x\\..\\y");
}

TEST_CASE("'..' in a relative path, NUL and nothing at all are refused") {
  const auto root = FileRoot::open("/home/me", Confined::no);
  for (const std::string_view path : {"..", "../x", "a/..", "a/../b", "./..", "a/b/../../..", ".//../x"})
    CHECK(refusal(*root, path) == ErrorCode::invalid_request);
  CHECK(refusal(*root, "") == ErrorCode::invalid_request);
  CHECK(refusal(*root, std::string_view("a\0b", 3)) == ErrorCode::invalid_request);
  CHECK(refusal(*root, std::string(PATH_MAX, 'x')) == ErrorCode::invalid_request);
}

TEST_CASE("an absolute path is taken as it is where nothing confines") {
  const auto root = FileRoot::open("/home/me", Confined::no);
  CHECK(root->guard("/etc/../tmp//x/")->absolute() == "/etc/../tmp/x");
  CHECK(root->guard("/")->absolute() == "/");
}

TEST_CASE("a confining root takes absolute paths below it, by its name and by its real one, and no other") {
  const ScratchFolder folder;
  folder.directory("real");
  folder.directory("real-evil");
  folder.link("link", "real");
  const auto root = FileRoot::open(folder.at("link"), Confined::yes);
  REQUIRE(root);
  CHECK(root->directory() == folder.at("real"));
  CHECK(root->guard(folder.at("real/a"))->to_resolve() == "a");
  CHECK(root->guard(folder.at("link/a"))->absolute() == folder.at("real/a"));
  CHECK(root->guard(folder.at("link"))->to_resolve() == ".");
  CHECK(root->guard("a/b")->absolute() == folder.at("real/a/b"));
  for (const std::string& path :
       {folder.at("real-evil/a"), folder.path(), folder.at("other"), std::string("/"), std::string("/etc/passwd")})
    CHECK(refusal(*root, path) == ErrorCode::forbidden);
}

TEST_CASE("a confining root that was named with '..' takes absolute paths by its name too") {
  const ScratchFolder folder;
  folder.directory("real");
  folder.directory("here/deep");
  folder.link("link", "real");
  for (const char* name : {"here/../link", "here/deep/../../link", "here/deep/.././../link/."}) {
    const auto root = FileRoot::open(folder.at(name), Confined::yes);
    REQUIRE(root);
    CHECK(root->directory() == folder.at("real"));
    CHECK(root->guard(folder.at("link/a"))->to_resolve() == "a");
    CHECK(root->guard(folder.at("real/a"))->to_resolve() == "a");
    CHECK(refusal(*root, folder.at("here")) == ErrorCode::forbidden);
  }
  const auto up = FileRoot::open(folder.at("here/deep/.."), Confined::yes);
  REQUIRE(up);
  CHECK(up->guard(folder.at("here/a"))->to_resolve() == "a");
}

TEST_CASE("a confining root must exist, be a directory and be named absolutely") {
  const ScratchFolder folder;
  folder.write("file", "");
  CHECK(FileRoot::open(folder.at("missing"), Confined::yes).error().code == ErrorCode::not_found);
  CHECK(FileRoot::open(folder.at("file"), Confined::yes).error().code == ErrorCode::conflict);
  CHECK(FileRoot::open("relative", Confined::yes).error().code == ErrorCode::invalid_request);
}

TEST_CASE("the parts of a path") {
  const auto root = FileRoot::open("/home/me", Confined::no);
  const GuardedPath path = *root->guard("a/b");
  CHECK(path.name() == "b");
  CHECK(path.parent().absolute() == "/home/me/a");
  CHECK(path.child("c").absolute() == "/home/me/a/b/c");
  CHECK(path.through_link("../x/").absolute() == "/home/me/a/../x");
  CHECK(path.through_link("/x").absolute() == "/x");
  CHECK(root->guard("/")->name().empty());
  CHECK(root->guard("/")->parent().absolute() == "/");
  CHECK(root->guard("/a")->parent().absolute() == "/");
  CHECK(root->guard("/")->child("a").absolute() == "/a");
}

}  // namespace sa
