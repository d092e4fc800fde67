// The input is an archive, after a byte that says whether its checksums are mended first (else few inputs get beyond them). It
// comes in pieces and is unpacked beside a canary, into a directory with links to it. Held: nothing but that directory changes,
// no hidden file is left in it, an answer names what is there, and an error is well-formed.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "base/utf8.h"
#include "files/tar_extract.h"
#include "fuzz_input.h"

namespace sa::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlock = 512;

// A target with traps in it, and a canary beside it.
class Cage {
 public:
  Cage() {
    std::string name = ::access("/dev/shm", W_OK) == 0 ? "/dev/shm/tar_fuzz_XXXXXX" : "/tmp/tar_fuzz_XXXXXX";
    hold(::mkdtemp(name.data()) != nullptr, "there is a place to unpack in");
    root_ = name;
    fs::create_directories(root_ / "canary");
    fs::create_directories(target() / "d");
    std::ofstream(root_ / "canary" / "song") << "sings";
    std::ofstream(target() / "f") << "old";
    fs::create_directory_symlink("../canary", target() / "l");
    fs::create_symlink(root_ / "canary" / "song", target() / "d" / "l");
    before_ = outside();
  }
  ~Cage() {
    for (fs::recursive_directory_iterator at(root_), end; at != end; ++at)
      if (!at->is_symlink() && at->is_directory()) fs::permissions(*at, fs::perms::owner_all, fs::perm_options::add);
    fs::remove_all(root_);
  }
  Cage(const Cage&) = delete;
  Cage& operator=(const Cage&) = delete;

  fs::path target() const { return root_ / "target"; }
  bool untouched() const { return outside() == before_; }

 private:
  // Everything that can be known of what is not in the target.
  std::string outside() const {
    std::string all;
    const auto add = [&](const fs::path& path) {
      struct stat seen{};
      hold(::lstat(path.c_str(), &seen) == 0, "the canary lives");
      all += fmt::format("{} {} {:o} {} {} {}.{} {}.{}\n", path.native(), seen.st_ino, seen.st_mode, seen.st_nlink,
                         seen.st_size, seen.st_mtim.tv_sec, seen.st_mtim.tv_nsec, seen.st_ctim.tv_sec, seen.st_ctim.tv_nsec);
    };
    add(root_);
    for (const auto& entry : fs::directory_iterator(root_))
      if (entry.path() != target()) add(entry.path());
    for (const auto& entry : fs::directory_iterator(root_ / "canary")) add(entry.path());
    std::ifstream song(root_ / "canary" / "song");
    return all.append(std::istreambuf_iterator<char>(song), {});
  }

  fs::path root_;
  std::string before_;
};

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

  const Cage cage;
  const TarTarget target{UniqueFd(::open(cage.target().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)), cage.target()};
  const std::atomic<bool> stop{false};
  const auto unpacked = extract_tar(target, next, {.max_unpacked_bytes = 1u << 20, .max_paths = 16}, stop);
  hold(cage.untouched(), "nothing but the target changes");
  for (const auto& entry : fs::recursive_directory_iterator(cage.target(), fs::directory_options::skip_permission_denied)) {
    const std::string name = entry.path().filename();
    hold(!name.starts_with(".sandbox-agent-") || archive.contains(name), "nothing hidden is left");
  }
  if (!unpacked) {
    hold(is_utf8(unpacked.error().detail), "a refusal is well-formed");
    for (const ErrorExtra& extra : unpacked.error().extras) hold(is_utf8(extra.json), "what it carries is well-formed");
    return;
  }
  hold(rest.empty(), "the stream is read to its end");
  for (const std::string& path : unpacked->paths) {
    std::error_code unreachable;  // by now the mode of a directory may forbid to look
    hold(fs::exists(fs::symlink_status(path, unreachable)) || unreachable == std::errc::permission_denied,
         "what the answer names is there");
  }
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
