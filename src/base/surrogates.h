// JavaScript strings cut inside an emoji arrive as half a \uD83D\uDE00 pair. That is legal JSON, but Boost.JSON refuses
// it. Pure function.
#pragma once

#include <string>
#include <string_view>

namespace sa {

// `json` with every unpaired \uD800..\uDFFF escape replaced by \uFFFD, the replacement character.
std::string replace_lone_surrogates(std::string_view json);

}  // namespace sa
