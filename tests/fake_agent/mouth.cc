#include "mouth.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace fake {

Mouth::Mouth(std::string_view ledger_directory) {
  if (ledger_directory.empty()) return;
  const auto path = std::string(ledger_directory) + "/ledger." + std::to_string(getpid());
  unlink(path.c_str());  // of an earlier process with this number: whoever reads that one keeps it
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return;
  if (ftruncate(fd, static_cast<off_t>(ledger_file_bytes)) == 0) {
    void* map = mmap(nullptr, ledger_file_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map != MAP_FAILED) {
      ledger_ = static_cast<LedgerHeader*>(map);
      hashes_ = reinterpret_cast<std::uint64_t*>(ledger_ + 1);
      ledger_->magic = ledger_magic;
    }
  }
  close(fd);
}

void Mouth::enter(std::uint64_t hash, std::size_t size) {
  if (ledger_ == nullptr) return;
  const auto at = ledger_->begun.load(std::memory_order_relaxed);
  if (at < ledger_capacity) hashes_[at] = hash;
  ledger_->bytes.fetch_add(size, std::memory_order_relaxed);
  ledger_->begun.store(at + 1, std::memory_order_release);
}

void Mouth::note_written(std::uint64_t lines) {
  if (ledger_ != nullptr) ledger_->written.fetch_add(lines, std::memory_order_release);
}

void Mouth::note_heard(bool is_repeated) {
  if (ledger_ == nullptr) return;
  ledger_->heard.fetch_add(1, std::memory_order_release);
  if (is_repeated) ledger_->heard_twice.fetch_add(1, std::memory_order_release);
}

void Mouth::say(std::string_view line) {
  say_buffered(line);
  flush();
}

void Mouth::say_buffered(std::string_view line) {
  enter(line_hash(line.data(), line.size()), line.size());
  pending_ += line;
  pending_ += '\n';
  ++pending_lines_;
  if (pending_.size() >= 64 * 1024) flush();
}

void Mouth::flush() {
  write_all(pending_);
  note_written(pending_lines_);
  pending_.clear();
  pending_lines_ = 0;
}

void Mouth::utter(std::string_view bytes) {
  std::uint64_t lines = 0;
  std::size_t start = 0;
  for (std::size_t end; (end = bytes.find('\n', start)) != std::string_view::npos; start = end + 1) {
    if (end == start) continue;
    enter(unverifiable, end - start);
    ++lines;
  }
  write_all(bytes);
  note_written(lines);
}

void Mouth::write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) _exit(0);  // nobody listens any more
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

}  // namespace fake
