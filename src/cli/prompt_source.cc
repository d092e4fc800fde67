#include "cli/prompt_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <expected>

#include "base/unique_fd.h"
#include "base/utf8.h"
#include "files/file_error.h"

namespace sa {
namespace {

constexpr std::size_t longest_prompt = 48 << 20;  // fits into one message, escaped
constexpr int patience_ms = 100;

// To its end, also of a pipe; hardly more than a prompt may have. Or an errno.
std::expected<std::string, int> read_whole(int file) {
  std::string text;
  char buffer[64 * 1024];
  while (text.size() <= longest_prompt) {
    const ssize_t size = ::read(file, buffer, sizeof buffer);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return std::unexpected(errno);
    if (size == 0) break;
    text.append(buffer, static_cast<std::size_t>(size));
  }
  return text;
}

Outcome<std::string> unless_too_long(std::string text, std::string_view source) {
  if (text.size() <= longest_prompt) return text;
  return failed({.exit = Exit::usage, .what = fmt::format("{} holds more than {} bytes", source, longest_prompt)});
}

Outcome<std::string> read_input() {
  auto text = read_whole(STDIN_FILENO);
  if (!text) return failed({.what = "stdin cannot be read", .why = errno_text(text.error())});
  return unless_too_long(std::move(*text), "stdin");
}

Outcome<std::string> read_prompt_file(const std::string& path) {
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  auto text = file ? read_whole(file.get()) : std::unexpected(errno);
  if (!text)
    return failed({.exit = Exit::usage,
                   .what = fmt::format("the file '{}' cannot be read", path),
                   .why = file_error(text.error(), path).detail});
  return unless_too_long(std::move(*text), fmt::format("the file '{}'", path));
}

bool has_input_soon() {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return ::poll(&input, 1, patience_ms) > 0;
}

// What is piped in besides the words. A person's pipe is read to its end; one that a program only left open must not keep it
// waiting.
Outcome<std::string> piped_besides(Invocation& given) {
  if (::isatty(STDIN_FILENO) == 1) return "";
  if (has_input_soon() || given.console().status_is_terminal()) return read_input();
  given.console().warn("stdin is open but silent, so it is not read; to wait for it add: -");
  return "";
}

void append_part(std::string& prompt, std::string_view part) {
  if (is_blank(part)) return;
  if (!prompt.empty()) prompt += "\n\n";
  prompt += part;
}

}  // namespace

Outcome<std::optional<std::string>> prompt_of(Invocation& given) {
  std::vector<std::string> words = given.arguments();
  const bool waits_for_input = std::erase(words, "-") > 0;
  std::string prompt = fmt::format("{}", fmt::join(words, " "));
  if (const std::string file = given.value("--file"); !file.empty()) {
    TRY(const std::string text, read_prompt_file(file));
    append_part(prompt, text);
  }
  const bool has_words = !is_blank(prompt);
  if (!has_words && !waits_for_input && given.console().may_ask() && !given.console().json()) return std::nullopt;
  if (waits_for_input || (!has_words && ::isatty(STDIN_FILENO) != 1)) {
    TRY(const std::string piped, read_input());
    append_part(prompt, piped);
  } else if (has_words) {
    TRY(const std::string piped, piped_besides(given));
    append_part(prompt, piped);
  }
  while (prompt.ends_with('\n')) prompt.pop_back();
  if (is_blank(prompt))
    return failed({.exit = Exit::usage, .what = "there is nothing to ask", .what_to_do = "sandbox-agent run \"hello\""});
  if (!is_utf8(prompt))
    return failed({.exit = Exit::usage, .what = "the prompt is not valid UTF-8", .what_to_do = "a prompt in UTF-8"});
  return std::optional(std::move(prompt));
}

}  // namespace sa
