#include "daemon/token.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <array>
#include <fstream>

#include "base/unique_fd.h"
#include "base/utf8.h"
#include "base/version.h"
#include "daemon/places.h"

namespace sa {
namespace {

std::string random_token() {
  std::array<unsigned char, 24> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) std::abort();
  std::string text;
  for (unsigned char byte : bytes) fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  return text;
}

bool make_directories(const std::string& path) {
  for (std::size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
    const std::string part = path.substr(0, at);
    if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST) return false;
    if (at == std::string::npos) return true;
  }
}

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

}  // namespace

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

Result<std::string> store_state(std::uint16_t port, const std::string& url, const std::string& token) {
  std::string path = fmt::format("{}/server-{}.json", state_directory(), port);
  const std::string temporary = fmt::format("{}.{}", path, ::getpid());
  std::string document = "{\"url\":";
  append_json_string(document, url);
  document += ",\"token\":";
  append_json_string(document, token);
  document += fmt::format(",\"pid\":{},\"version\":\"{}\"}}\n", ::getpid(), version);
  if (!make_directories(state_directory())) return fail(ErrorCode::internal, errno_text(errno));
  UniqueFd file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  const bool written = file && ::write(file.get(), document.data(), document.size()) == static_cast<ssize_t>(document.size());
  if (!written || ::rename(temporary.c_str(), path.c_str()) != 0) {
    const int error = errno;
    ::unlink(temporary.c_str());
    return fail(ErrorCode::internal, errno_text(error));
  }
  return path;
}

}  // namespace sa
