#include "cli/api_body.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "base/unique_fd.h"
#include "files/file_error.h"

namespace sa {
namespace {

constexpr std::size_t piece_size = 64 * 1024;
constexpr int look_again_ms = 100;

struct OpenFile {
  UniqueFd owned;  // empty for stdin
  int descriptor = STDIN_FILENO;
  std::string name;
};

Outcome<OpenFile> open_file(const std::string& name) {
  if (name == "-") return OpenFile{.name = "stdin"};
  UniqueFd file(::open(name.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return failed(failure_of(file_error(errno, name)));
  const int descriptor = file.get();
  return OpenFile{std::move(file), descriptor, name};
}

// The next bytes; empty at the end.
Result<std::string> read_piece(const OpenFile& file, const StopFlag& stop) {
  std::string piece(piece_size, '\0');
  for (;;) {
    pollfd ready{file.descriptor, POLLIN, 0};
    const int found = ::poll(&ready, 1, look_again_ms);
    if (stop) return fail_stopped();
    if (found <= 0) continue;
    const ssize_t size = ::read(file.descriptor, piece.data(), piece.size());
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (size < 0) return fail_file(errno, file.name);
    piece.resize(static_cast<std::size_t>(size));
    return piece;
  }
}

}  // namespace

Outcome<std::string> body_text(const std::string& text, const StopFlag& stop) {
  if (text != "-" && !text.starts_with('@')) return text;
  TRY(const OpenFile file, open_file(text == "-" ? text : text.substr(1)));
  for (std::string all;;) {
    const auto piece = read_piece(file, stop);
    if (stop) return failed({.exit = Exit::interrupted, .what = "interrupted"});
    if (!piece) return failed(failure_of(piece.error()));
    if (piece->empty()) return all;
    all += *piece;
  }
}

Outcome<BodySource> open_body(const std::string& name, const StopFlag& stop) {
  TRY(OpenFile opened, open_file(name));
  const auto file = std::make_shared<OpenFile>(std::move(opened));  // a std::function is copied
  struct stat about{};
  std::optional<std::uint64_t> length;
  if (::fstat(file->descriptor, &about) == 0 && S_ISREG(about.st_mode)) {
    const off_t at = ::lseek(file->descriptor, 0, SEEK_CUR);
    length = static_cast<std::uint64_t>(std::max<off_t>(0, about.st_size - std::max<off_t>(at, 0)));
  }
  return BodySource{[file, &stop] { return read_piece(*file, stop); }, length};
}

}  // namespace sa
