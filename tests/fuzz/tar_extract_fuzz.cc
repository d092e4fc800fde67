// The input is an archive, after a byte that says whether its checksums are mended first (else few inputs get beyond them). It
// comes in pieces and is unpacked beside a canary, into a directory with links to it. Held: nothing but that directory changes,
// no hidden file is left in it, an answer names what is there, and an error is well-formed.
// Inputs: at most 2560 bytes.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <atomic>
#include <string>

#include "cage.h"
#include "files/tar_extract.h"
#include "fuzz_input.h"

namespace sa::fuzz {
namespace {

constexpr std::size_t kBlock = 512;

std::string mended(std::string archive) {
  for (std::size_t at = 0; at + kBlock <= archive.size(); at += kBlock) {
    if (archive.compare(at + 257, 5, "ustar") != 0) continue;
    archive.replace(at + 148, 8, 8, ' ');
    unsigned sum = 0;
    for (std::size_t i = at; i < at + kBlock; ++i) sum += static_cast<std::uint8_t>(archive[i]);
    archive.replace(at + 148, 7, fmt::format("{:06o}", sum) + '\0');
  }
  return archive;
}

bool is_there(const std::string& path) {
  struct stat seen{};
  return ::lstat(path.c_str(), &seen) == 0;
}

void check(std::string_view input) {
  if (input.empty()) return;
  const auto how = static_cast<std::uint8_t>(input[0]);
  const std::string archive = how % 2 == 0 ? mended(std::string(input.substr(1))) : std::string(input.substr(1));
  std::string_view rest = archive;
  const auto next = [&]() -> Result<std::string_view> {
    const std::string_view piece = rest.substr(0, how < 128 ? rest.size() : 100);
    rest.remove_prefix(piece.size());
    return piece;
  };

  static Cage cage(Cage::Inside::traps);
  static const TarTarget target{UniqueFd(::open(cage.target().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)), cage.target()};
  cage.fill();
  const std::atomic<bool> stop{false};
  const auto unpacked = extract_tar(target, next, {.max_unpacked_bytes = 1u << 20, .max_paths = 16}, stop);
  if (unpacked) {
    hold(rest.empty(), "the stream is read to its end");
    for (const std::string& path : unpacked->paths) hold(is_there(path), "what the answer names is there");
  } else {
    hold_well_formed(unpacked.error());
  }
  cage.end(archive);
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
