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

}  // namespace

Result<std::string> read_token_file(const std::string& path) {
  errno = 0;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const int error = errno;
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
  if (line.empty())
    return fail(ErrorCode::invalid_request, fmt::format("the token file '{}' cannot be used: {}", path,
                                                        error ? errno_text(error) : "its first line is empty"));
  return line;
}

Result<Token> choose_token(const Settings& settings) {
  const int flags = !settings.token.empty() + !settings.token_file.empty() + settings.no_token;
  if (flags > 1) return fail(ErrorCode::invalid_request, "give only one of --token, --token-file and --no-token");
  if (settings.no_token) return Token{"", "none: everybody who can connect is let in", false};
  if (!settings.token.empty()) return Token{settings.token, "from --token", false};
  if (!settings.token_file.empty()) {
    TRY(std::string token, read_token_file(settings.token_file));
    return Token{std::move(token), "from --token-file", false};
  }
  if (!settings.environment_token.empty()) return Token{settings.environment_token, "from SANDBOX_AGENT_TOKEN", false};
  return Token{random_token(), "generated", true};
}

}  // namespace sa
