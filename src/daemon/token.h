// The daemon's token and where it comes from.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/settings.h"

namespace sa {

struct Token {
  std::string value;   // empty: no auth
  std::string source;  // in words, for the start-up text
  bool generated = false;
};

// Flags beat the environment; none of them means a new random token. Blanks around a token are no part of it: a header cannot
// carry them. Error: invalid_request.
Result<Token> choose_token(const Settings& settings);

// Blanks around a token are no part of it: a header's value cannot carry them.
std::string without_blanks(std::string_view text);

// The first line of the file, without blanks around it. Error: invalid_request.
Result<std::string> read_token_file(const std::string& path);

}  // namespace sa
