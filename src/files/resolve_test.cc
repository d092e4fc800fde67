#include "files/resolve.h"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "base/scratch_folder.h"

namespace sa {
namespace {

// A confining root beside something it must never reach; everything is tried with both ways to resolve.
struct World {
  explicit World(Resolution resolution) {
    outside.write("secret", "s3cret");
    inside.write("a/b/file", "content");
    inside.link("a/up", "../a/b");
    inside.link("a/up-twice", "up/../b/file");
    inside.link("out", "../../etc");
    inside.link("absolute", outside.path());
    inside.link("absolute-inside", inside.at("a"));
    inside.link("dangling", "a/nowhere");
    inside.link("loop", "loop");
    inside.link("a/b/top", "../..");
    root.emplace(std::move(*FileRoot::open(inside.path(), Confined::yes, resolution)));
  }

  std::string outcome(std::string_view path) const {
    const auto opened = open_at(*root->guard(path), O_RDONLY);
    return opened ? "opened" : std::string(error_row(opened.error().code).word);
  }

  ScratchFolder outside;
  ScratchFolder inside;
  std::optional<FileRoot> root;
};

constexpr Resolution both[] = {Resolution::kernel, Resolution::walk};

}  // namespace

TEST_CASE("what lies below the root is opened, through links that stay below it") {
  for (const Resolution resolution : both) {
    const World world(resolution);
    CAPTURE(static_cast<int>(resolution));
    for (const char* path : {".", "a", "a/b/file", "a/up/file", "a/up-twice", "a/b/top/a/b/file", "a/b/top"})
      CHECK_MESSAGE(world.outcome(path) == "opened", path);
    CHECK(world.outcome(world.inside.at("a/../a/b/file")) == "opened");
  }
}

TEST_CASE("a slash at the end means a directory: what leads to something else is not opened") {
  for (const Resolution resolution : both) {
    const World world(resolution);
    CAPTURE(static_cast<int>(resolution));
    for (const char* path : {"a/", "a/.", "a/up/", "a/b/top/", "./"}) CHECK_MESSAGE(world.outcome(path) == "opened", path);
    for (const char* path : {"a/b/file/", "a/b/file/.", "a/up-twice/"}) CHECK_MESSAGE(world.outcome(path) == "conflict", path);
    CHECK(world.outcome("a/none/") == "not_found");
    CHECK(open_directory(*world.root->guard("new/one/"), Parents::create));
  }
}

TEST_CASE("every way out of the root is forbidden, absolute links even where they point inside") {
  for (const Resolution resolution : both) {
    const World world(resolution);
    CAPTURE(static_cast<int>(resolution));
    for (const char* path : {"out", "out/passwd", "absolute", "absolute/secret", "absolute-inside", "absolute-inside/b/file"})
      CHECK_MESSAGE(world.outcome(path) == "forbidden", path);
    CHECK(world.outcome(world.inside.at("a/../../x")) == "forbidden");
    CHECK(world.outcome(world.inside.at("a/b/top/..")) == "forbidden");
  }
}

TEST_CASE("what is missing, no directory or a loop is told apart") {
  for (const Resolution resolution : both) {
    const World world(resolution);
    CAPTURE(static_cast<int>(resolution));
    CHECK(world.outcome("missing") == "not_found");
    CHECK(world.outcome("missing/file") == "not_found");
    CHECK(world.outcome("dangling") == "not_found");
    CHECK(world.outcome("a/b/file/x") == "conflict");
    CHECK(world.outcome("loop") == "conflict");
    CHECK(world.outcome("loop/x") == "conflict");
    CHECK(world.outcome(std::string(300, 'n')) == "invalid_request");
  }
}

TEST_CASE("a directory that takes the root's place becomes the root; a path that is in use stays where it began") {
  for (const Resolution resolution : both) {
    const World world(resolution);
    CAPTURE(static_cast<int>(resolution));
    const GuardedPath in_use = *world.root->guard("a/b/file");
    CHECK(open_at(in_use, O_RDONLY));
    std::filesystem::rename(world.inside.path(), world.outside.at("moved"));
    CHECK(world.outcome("a/b/file") == "not_found");
    CHECK(world.outcome(".") == "not_found");
    CHECK(open_directory(*world.root->guard("x"), Parents::create).error().code == ErrorCode::not_found);
    world.inside.write("fresh", "new");
    world.inside.link("out", "../secret");
    CHECK(world.outcome("fresh") == "opened");
    CHECK(world.outcome("a/b/file") == "not_found");
    CHECK(world.outcome("out") == "forbidden");
    CHECK(open_at(in_use, O_RDONLY));
    std::filesystem::remove_all(world.outside.at("moved"));
    CHECK(open_at(in_use, O_RDONLY).error().code == ErrorCode::not_found);
    CHECK(world.outcome("fresh") == "opened");
    std::filesystem::remove_all(world.inside.path());
    std::filesystem::create_symlink(world.outside.path(), world.inside.path());
    CHECK(world.outcome("secret") == "conflict");
    CHECK(world.outcome(".") == "conflict");
  }
}

TEST_CASE("links that lead out by magic are not followed") {
  for (const Resolution resolution : both) {
    const auto root = FileRoot::open("/proc/self", Confined::yes, resolution);
    REQUIRE(root);
    CHECK(open_at(*root->guard("root/etc"), O_PATH).error().code == ErrorCode::forbidden);
    CHECK(open_at(*root->guard("cwd"), O_PATH).error().code == ErrorCode::forbidden);
    CHECK(open_at(*root->guard("status"), O_RDONLY).has_value());
  }
}

TEST_CASE("directories are made with their parents, also through a link, and never outside") {
  for (const Resolution resolution : both) {
    const World world(resolution);
    CAPTURE(static_cast<int>(resolution));
    CHECK(open_directory(*world.root->guard("new/deep/er"), Parents::create));
    CHECK(open_directory(*world.root->guard("new/deep/er"), Parents::create));
    CHECK(world.inside.has("new/deep/er"));
    CHECK(open_directory(*world.root->guard("a/up/x/y"), Parents::create));
    CHECK(world.inside.has("a/b/x/y"));
    CHECK(open_directory(*world.root->guard("absolute/x"), Parents::create).error().code == ErrorCode::forbidden);
    CHECK(open_directory(*world.root->guard("a/b/file/x"), Parents::create).error().code == ErrorCode::conflict);
    for (const char* path : {"dangling", "dangling/x", "dangling/x/y"}) {
      const auto made = open_directory(*world.root->guard(path), Parents::create);
      CHECK(made.error().code == ErrorCode::conflict);
      CHECK(made.error().detail.starts_with("'" + world.inside.at("dangling") + "' is a link to something"));
    }
    CHECK(world.outside.names() == std::vector<std::string>{"secret"});
  }
}

TEST_CASE("a place is the entry itself; behind links it is what they stand for") {
  for (const Resolution resolution : both) {
    const World world(resolution);
    CAPTURE(static_cast<int>(resolution));
    CHECK(place_of(*world.root->guard("absolute"))->name == "absolute");
    CHECK(place_behind_links(*world.root->guard("absolute")).error().code == ErrorCode::forbidden);
    CHECK(place_behind_links(*world.root->guard("out")).error().code == ErrorCode::forbidden);
    CHECK(place_behind_links(*world.root->guard("dangling"))->name == "nowhere");
    CHECK(place_behind_links(*world.root->guard("a/up-twice"))->name == "file");
    CHECK(place_behind_links(*world.root->guard("loop")).error().code == ErrorCode::conflict);
    CHECK(place_behind_links(*world.root->guard("a/b/top")).error().code == ErrorCode::conflict);
    CHECK(place_of(*world.root->guard(".")).error().code == ErrorCode::invalid_request);
    CHECK(place_of(*world.root->guard(world.inside.at("a/.."))).error().code == ErrorCode::invalid_request);
  }
}

TEST_CASE("somebody who swaps a directory for a link out all the time never gets us there") {
  for (const Resolution resolution : both) {
    const World world(resolution);
    CAPTURE(static_cast<int>(resolution));
    world.inside.write("door/secret", "harmless");
    world.inside.link("trap", world.outside.path());
    std::atomic<bool> done = false;
    std::thread swapper([&] {
      const std::string door = world.inside.at("door"), trap = world.inside.at("trap");
      while (!done) ::renameat2(AT_FDCWD, door.c_str(), AT_FDCWD, trap.c_str(), RENAME_EXCHANGE);
    });
    int opened = 0;
    const auto is_enough = [&](int tries) {
      return tries >= 2'000 && (opened > 0 || tries >= 1'000'000);
    };  // the other may not be running
    for (int tries = 0; !is_enough(tries); ++tries) {
      const auto file = open_at(*world.root->guard("door/secret"), O_RDONLY);
      if (!file) continue;
      char text[16] = {};
      CHECK(::read(file->get(), text, sizeof text - 1) == 8);
      opened += std::string_view(text) == "harmless" ? 1 : 0;
      const auto made = open_directory(*world.root->guard("door/new"), Parents::create);
      (void)made;
    }
    done = true;
    swapper.join();
    CHECK(opened > 0);
    CHECK(world.outside.names() == std::vector<std::string>{"secret"});
  }
}

}  // namespace sa
