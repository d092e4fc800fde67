// What an agent answers when it is asked what it offers: why it refuses, and its version. Somebody else's text: what is told of
// it is short, and printable. Pure functions.
#pragma once

#include <boost/json/fwd.hpp>
#include <string>
#include <string_view>

namespace sa {

// "Authentication required (-32000)", from the error of a JSON-RPC answer, which may be missing.
std::string refusal_words(std::string_view error);

// From the result of initialize. Empty when it gives none; what is too long for a version or not printable is none.
std::string agent_version_in(const boost::json::value& initialize_result);

}  // namespace sa
