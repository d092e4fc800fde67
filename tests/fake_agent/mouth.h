// The agent's standard output: whole lines, each entered into the ledger (if there is one) before it is written. Writes
// block, which is the point: the reader of the pipe decides how fast an agent may talk. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ledger_format.h"

namespace fake {

class Mouth {
 public:
  // Keeps a ledger at `<directory>/ledger.<pid>`; an empty directory means none.
  explicit Mouth(std::string_view ledger_directory);

  void say(std::string_view line);
  // Collects lines and writes them in large pieces; flush() ends the series.
  void say_buffered(std::string_view line);
  void flush();
  // What came in is entered, too.
  void note_heard(bool is_repeated);
  // Bytes exactly as they are. Their non-blank lines count as said, but not as verifiable.
  void utter(std::string_view bytes);

 private:
  void enter(std::uint64_t hash, std::size_t size);
  void note_written(std::uint64_t lines);
  void write_all(std::string_view bytes);

  LedgerHeader* ledger_ = nullptr;
  std::uint64_t* hashes_ = nullptr;
  std::string pending_;
  std::uint64_t pending_lines_ = 0;
};

}  // namespace fake
