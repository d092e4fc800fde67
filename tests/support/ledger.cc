#include "ledger.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>
#include <utility>

#include "fake_agent/ledger_format.h"

namespace rig {
namespace {

const fake::LedgerHeader& header(const void* map) { return *static_cast<const fake::LedgerHeader*>(map); }

}  // namespace

Ledger::Ledger(const std::filesystem::path& directory, pid_t agent) {
  const auto path = directory / ("ledger." + std::to_string(agent));
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) throw std::runtime_error("no ledger of agent " + std::to_string(agent));
  void* map = mmap(nullptr, fake::ledger_file_bytes, PROT_READ, MAP_SHARED, fd, 0);
  close(fd);
  if (map == MAP_FAILED || header(map).magic != fake::ledger_magic) throw std::runtime_error("broken ledger");
  map_ = map;
}

Ledger::Ledger(Ledger&& other) noexcept : map_(std::exchange(other.map_, nullptr)) {}

Ledger::~Ledger() {
  if (map_ != nullptr) munmap(map_, fake::ledger_file_bytes);
}

std::uint64_t Ledger::begun() const { return header(map_).begun.load(std::memory_order_acquire); }
std::uint64_t Ledger::written() const { return header(map_).written.load(std::memory_order_acquire); }

std::uint64_t Ledger::bytes() const { return header(map_).bytes.load(std::memory_order_acquire); }
std::uint64_t Ledger::heard() const { return header(map_).heard.load(std::memory_order_acquire); }
std::uint64_t Ledger::heard_twice() const { return header(map_).heard_twice.load(std::memory_order_acquire); }

bool Ledger::matches(std::uint64_t n, std::string_view line) const {
  if (n == 0 || n > begun()) return false;
  if (n > fake::ledger_capacity) return true;
  const auto* hashes = reinterpret_cast<const std::uint64_t*>(&header(map_) + 1);
  const auto said = hashes[n - 1];
  return said == fake::unverifiable || said == fake::line_hash(line.data(), line.size());
}

}  // namespace rig
