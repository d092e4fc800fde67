// The daemon's token: where it comes from, and the 0600 state file that keeps a generated one.
#pragma once

#include <string>

#include "base/result.h"
#include "base/settings.h"

namespace sa {

struct Token {
  std::string value;   // empty: no auth
  std::string source;  // in words, for the start-up text
  bool generated = false;
};

// Flags beat the environment; none of them means a new random token. Error: invalid_request.
Result<Token> choose_token(const Settings& settings);

// Writes <state>/server-<port>.json (url, token, pid) for this user only. Error: internal with the reason.
Result<std::string> store_state(std::uint16_t port, const std::string& url, const std::string& token);

}  // namespace sa
