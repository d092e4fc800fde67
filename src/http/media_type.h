// Content-Type and Accept. Pure functions.
#pragma once

#include <string_view>

namespace sa {

// True when a Content-Type value names `wanted` ("application/json"), whatever its parameters.
bool is_media_type(std::string_view content_type, std::string_view wanted);

// True when an Accept value allows `offered`: the most specific matching range counts, q=0 refuses. Empty allows everything.
bool accepts(std::string_view accept, std::string_view offered);

// How much an Accept value likes `offered`, in thousandths; 0 when it does not.
int quality(std::string_view accept, std::string_view offered);

}  // namespace sa
