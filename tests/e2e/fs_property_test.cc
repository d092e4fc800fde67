// Random trees there and back: archive, listing, download, removal.
#include <doctest/doctest.h>

#include <random>

#include "fs_scene.h"
#include "support/packed.h"
#include "support/tar_writer.h"

using namespace rig;

namespace {

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  unsigned below(unsigned limit) { return static_cast<unsigned>(engine_() % limit); }
  std::string bytes(unsigned size) { return patterned(size, below(1U << 30U)); }

  // One component: letters, signs, spaces, UTF-8, or anything a disk takes.
  std::string name() {
    static const std::vector<std::string> syllables = {"a",  "Z",  "0",  "-",  ".x",  " ", "ü", "世",
                                                       "😀", "\"", "\\", "\n", "%2f", "+", "'", "*"};
    std::string out;
    const auto length = 1 + below(6);
    const bool raw = below(8) == 0;
    for (unsigned i = 0; i < length; ++i)
      out += raw ? std::string(1, anything()) : syllables[below(static_cast<unsigned>(syllables.size()))];
    return out == "." || out == ".." ? "dot" + out : out;
  }

 private:
  char anything() {
    const char c = static_cast<char>(1 + below(255));
    return c == '/' ? '_' : c;
  }
  std::mt19937 engine_;
};

// A tree as it should be, and the archive that makes it.
struct Wanted {
  TreeShot shot;
  TarWriter tar;
  std::map<std::string, std::string> contents;
  std::map<std::string, std::string> links;
};

std::string mode_text(unsigned type, unsigned mode) {
  char text[16];
  std::snprintf(text, sizeof text, "%06o", type | mode);
  return text;
}

void grow(Dice& dice, Wanted& tree, const std::string& below, int depth) {
  const auto children = 1 + dice.below(5);
  for (unsigned i = 0; i < children; ++i) {
    const auto name = below + dice.name();
    if (tree.shot.contains(name)) continue;
    const auto kind = dice.below(6);
    if (kind < 2 && depth < 4) {
      const auto mode = 0700 | dice.below(0100);
      tree.tar.directory(name + "/", mode);
      tree.shot[name] = mode_text(S_IFDIR, mode);
      grow(dice, tree, name + "/", depth + 1);
    } else if (kind == 2) {
      tree.links[name] = dice.name() + "/" + dice.name();
      tree.tar.symlink(name, tree.links[name]);
      tree.shot[name] = mode_text(S_IFLNK, 0777) + " -> " + tree.links[name];
    } else {
      const auto mode = 0600 | dice.below(0200);
      tree.contents[name] = dice.bytes(dice.below(4) == 0 ? dice.below(200'000) : dice.below(600));
      tree.tar.file(name, tree.contents[name], mode);
      tree.shot[name] = mode_text(S_IFREG, mode) + " " + tree.contents[name];
    }
  }
}

// Names below `path` as the API tells them; what is not UTF-8 is followed by its bytes on disk instead.
std::size_t count_listed(const Files& files, const std::filesystem::path& disk, const std::string& path, const Wanted& tree,
                         const std::string& below) {
  const auto listing = files.list(path);
  REQUIRE_EQ(listing.status, 200);
  const auto entries = parse_json(listing.body).as_array();
  const auto names = names_below(disk);
  REQUIRE_EQ(entries.size(), names.size());
  std::size_t count = names.size();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string listed(entries[i].at("name").as_string());
    const bool replaced = listed.contains("\xef\xbf\xbd");
    if (!replaced) CHECK_EQ(listed, names[i]);
    const auto wanted = below + names[i];
    if (tree.links.contains(wanted) && !replaced) {
      const auto text = text_in(entries[i], "symlink");
      if (!text.contains("\xef\xbf\xbd")) CHECK_EQ(text, tree.links.at(wanted));
    }
    if (text_in(entries[i], "entryType") == "directory" && !tree.links.contains(wanted)) {
      count += count_listed(files, disk / names[i], path + "/" + names[i], tree, wanted + "/");
    }
  }
  return count;
}

}  // namespace

TEST_SUITE_BEGIN("fs");

TEST_CASE("random trees go up as archives, are listed, come down and are removed, byte for byte") {
  HomeScene s;
  const unsigned first_seed = std::random_device{}();
  for (unsigned round = 0; round < 20; ++round) {
    const auto seed = first_seed + round;
    INFO("seed ", seed);
    Dice dice(seed);
    Wanted tree;
    grow(dice, tree, "", 0);
    const auto archive = tree.tar.finished();
    const auto packing = dice.below(3);
    REQUIRE_EQ(s.files.unpack("w/t", packing == 0   ? archive
                                     : packing == 1 ? gzipped(archive)
                                                    : zstd_packed(archive))
                   .status,
               200);
    auto shot = tree_shot(s.work / "t");
    shot.erase(".");
    REQUIRE(shot == tree.shot);
    CHECK_EQ(count_listed(s.files, s.work / "t", "w/t", tree, ""), tree.shot.size());
    for (const auto& [name, content] : tree.contents) CHECK(s.files.download("w/t/" + name).body == content);
    REQUIRE_EQ(s.files.remove_tree("w/t").status, 200);
    REQUIRE(names_below(s.work).empty());
  }
}

TEST_SUITE_END();
