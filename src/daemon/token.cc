#include "daemon/token.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <array>
#include <fstream>

namespace sa {
namespace {

std::string random_token() {
  std::array<unsigned char, 24> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) std::abort();
  std::string text;
  for (unsigned char byte : bytes) fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  return text;
}

// An empty one would let everybody in.
Result<Token> given_by(std::string_view origin, std::string_view text) {
  std::string token = without_blanks(text);
  if (token.empty()) return fail(ErrorCode::invalid_request, fmt::format("the token from {} is blank", origin));
  return Token{std::move(token), fmt::format("from {}", origin), false};
}

}  // namespace

std::string without_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

Result<std::string> read_token_file(const std::string& path) {
  errno = 0;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const int error = errno;
  line = without_blanks(line);
  if (line.empty())
    return fail(ErrorCode::invalid_request, fmt::format("the token file '{}' cannot be used: {}", path,
                                                        error ? errno_text(error) : "its first line is empty"));
  return line;
}

Result<Token> choose_token(const Settings& settings) {
  const int flags = !settings.token.empty() + !settings.token_file.empty() + settings.no_token;
  if (flags > 1) return fail(ErrorCode::invalid_request, "give only one of --token, --token-file and --no-token");
  if (settings.no_token) return Token{"", "none: everybody who can connect is let in", false};
  if (!settings.token.empty()) {
    TRY(Token token, given_by("--token", settings.token));
    token.source += ", visible in process lists; --token-file and SANDBOX_AGENT_TOKEN are not";
    return token;
  }
  if (!settings.token_file.empty()) {
    TRY(std::string token, read_token_file(settings.token_file));
    return Token{std::move(token), "from --token-file", false};
  }
  if (!settings.environment_token.empty()) return given_by("SANDBOX_AGENT_TOKEN", settings.environment_token);
  return Token{random_token(), "generated", true};
}

}  // namespace sa
