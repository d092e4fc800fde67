// The content blocks of one prompt, checked and made readable. Pure functions.
#pragma once

#include <expected>
#include <string>

#include "mock_agent/rpc.h"

namespace sa::mock {

struct Prompt {
  std::string text;         // of all text blocks, one per line
  std::string attachments;  // the other blocks in words, such as "1 image and 2 links"; empty: none
};

std::expected<Prompt, RpcError> read_prompt(const json::array& blocks);

// The first words of a text, on one line.
std::string title_of(std::string_view text);

}  // namespace sa::mock
