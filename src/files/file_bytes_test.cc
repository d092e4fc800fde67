#include "files/file_bytes.h"

#include <doctest/doctest.h>
#include <fcntl.h>

#include "base/scratch_folder.h"
#include "base/unique_fd.h"

namespace sa {
namespace {

TEST_CASE("bytes are read from anywhere, forwards and backwards, and end with the file") {
  const ScratchFolder folder;
  std::string content;
  while (content.size() < 700'000) content += std::to_string(content.size());
  folder.write("f", content);
  const UniqueFd file(::open(folder.at("f").c_str(), O_RDONLY | O_CLOEXEC));
  FileBytes bytes(file.get(), "f");
  CHECK(bytes.size() == content.size());
  for (const std::size_t offset :
       {std::size_t{0}, std::size_t{10}, std::size_t{262'140}, std::size_t{5}, std::size_t{600'000}, content.size() - 3}) {
    for (const std::size_t wanted : {std::size_t{0}, std::size_t{8}, FileBytes::most}) {
      const auto found = bytes.at(offset, wanted);
      REQUIRE(found);
      CHECK(*found == std::string_view(content).substr(offset, wanted));
    }
  }
  for (const std::uint64_t beyond : {content.size(), content.size() + 1, UINT64_MAX}) CHECK(bytes.at(beyond, 1) == "");
}

TEST_CASE("what cannot be read is an error") {
  const UniqueFd directory(::open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  CHECK(FileBytes(directory.get(), "/").at(0, 1).error().code == ErrorCode::conflict);
}

}  // namespace
}  // namespace sa
