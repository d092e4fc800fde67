// The reading side of what an agent said and heard (see fake_agent/ledger_format.h). Movable; readable while the agent still
// writes and after its death. Line n of the agent is event n of its stream, as long as it says no blank lines.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace rig {

class Ledger {
 public:
  Ledger(const std::filesystem::path& directory, pid_t agent);
  Ledger(Ledger&& other) noexcept;
  Ledger& operator=(Ledger&&) = delete;
  ~Ledger();

  std::uint64_t begun() const;        // lines that were said or are being said
  std::uint64_t written() const;      // lines the pipe took: all of these must arrive
  std::uint64_t bytes() const;        // of the begun lines
  std::uint64_t heard() const;        // lines that the agent read
  std::uint64_t heard_twice() const;  // requests whose id it had read before
  // Whether line `n` (from 1) is exactly this. A line the proxy has to replace matches anything.
  bool matches(std::uint64_t n, std::string_view line) const;

 private:
  void* map_ = nullptr;
};

}  // namespace rig
