// The input is a file to unpack, after a byte that says whether a zip's checksums are mended first (else few inputs get beyond
// them). It is unpacked into an empty directory beside a canary. Held: nothing but that directory changes, no hidden file is
// left in it, no link in it leads out of it, and an error is well-formed.
#include <fcntl.h>
#include <sys/mman.h>
#include <zlib.h>

#include <atomic>
#include <filesystem>
#include <string>

#include "base/unique_fd.h"
#include "cage.h"
#include "files/unpack.h"
#include "fuzz_input.h"

namespace sa::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = std::size_t{1} << 20;

std::size_t number(std::string_view bytes, std::size_t at, std::size_t size) {
  std::size_t value = 0;
  for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
  return value;
}

std::string inflated(std::string_view packed) {
  static std::string out(kMostBytes, '\0');
  z_stream stream{};
  ::inflateInit2(&stream, -15);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  ::inflate(&stream, Z_FINISH);
  ::inflateEnd(&stream);
  return out.substr(0, stream.total_out);
}

// Every record of a directory that names a content has its sum and its size afterwards.
std::string mended(std::string zip) {
  constexpr std::size_t record_bytes = 46, local_bytes = 30;
  for (std::size_t at = zip.find("PK\1\2"); at != zip.npos && at + record_bytes <= zip.size();
       at = zip.find("PK\1\2", at + 1)) {
    const std::size_t local = number(zip, at + 42, 4), packed_size = number(zip, at + 20, 4);
    if (local + local_bytes > zip.size()) continue;
    const std::size_t content_at = local + local_bytes + number(zip, local + 26, 2) + number(zip, local + 28, 2);
    if (content_at > zip.size()) continue;
    std::string content = zip.substr(content_at, packed_size);
    if (number(zip, at + 10, 2) == 8) content = inflated(content);
    const auto sum = ::crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
    for (std::size_t i = 0; i < 4; ++i) {
      zip[at + 16 + i] = static_cast<char>(sum >> (8 * i));
      zip[at + 24 + i] = static_cast<char>(content.size() >> (8 * i));
    }
  }
  return zip;
}

// Every prefix of the way a link leads, as the system resolves it, lies in the target.
void hold_links(const fs::path& target, const std::vector<Cage::Entry>& found) {
  for (const Cage::Entry& entry : found) {
    if (!entry.is_link) continue;
    std::error_code unreachable;  // a loop, or a mode that forbids to look
    const fs::path end = fs::weakly_canonical(target / entry.path, unreachable);
    hold(unreachable || end == target || end.native().starts_with(target.native() + "/"), "no link leads out");
  }
}

void check(std::string_view input) {
  if (input.empty()) return;
  std::string packed(input.substr(1));
  if (input[0] % 2 == 0) packed = mended(std::move(packed));
  static const UniqueFd file(::memfd_create("packed", MFD_CLOEXEC));
  hold(::ftruncate(file.get(), static_cast<off_t>(packed.size())) == 0 &&
           ::pwrite(file.get(), packed.data(), packed.size(), 0) == static_cast<ssize_t>(packed.size()),
       "the input is written");

  static Cage cage(Cage::Inside::nothing);
  static const TarTarget target{UniqueFd(::open(cage.target().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)), cage.target()};
  const std::atomic<bool> stop{false};
  cage.fill();
  const auto unpacked = unpack(file.get(), target, "program", {.max_unpacked_bytes = kMostBytes}, stop);
  if (!unpacked) hold_well_formed(unpacked.error());
  cage.end(packed, [](const auto& found) { hold_links(cage.target(), found); });
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
