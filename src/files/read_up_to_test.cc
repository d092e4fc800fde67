#include "files/read_up_to.h"

#include <doctest/doctest.h>

#include "base/scratch_folder.h"

namespace sa {
namespace {

std::string numbers_up_to(std::size_t size) {
  std::string content;
  while (content.size() < size) content += std::to_string(content.size()) + " ";
  return content.substr(0, size);
}

TEST_CASE("a file is read to its end, or as far as asked, wherever a piece ends") {
  const ScratchFolder folder;
  for (const std::size_t size : {0u, 1u, 61'439u, 61'440u, 65'535u, 65'536u, 65'537u, 131'072u, 700'001u}) {
    const std::string content = numbers_up_to(size);
    folder.write("f", content);
    for (const std::size_t most : {std::size_t{1}, std::size_t{65'536}, std::size_t{65'537}, size, size + 1})
      CHECK(read_file(folder.at("f"), most) == content.substr(0, most));
  }
}

TEST_CASE("a small file takes one piece of memory, also to see its end") {
  const ScratchFolder folder;
  folder.write("f", "{}");
  const auto content = read_file(folder.at("f"), 1 << 20);
  REQUIRE(content);
  CHECK(content->capacity() <= 64 * 1024);
}

TEST_CASE("a file that cannot be read is an error with its path") {
  CHECK(read_file("/nowhere/f", 1).error().code == ErrorCode::not_found);
  CHECK(read_file("/", 1).error().code == ErrorCode::conflict);
  CHECK(read_file("/nowhere/f", 1).error().detail.contains("/nowhere/f"));
}

}  // namespace
}  // namespace sa
