// Times as HTTP writes them: "Sun, 15 Nov 2026 10:48:40 GMT". Pure functions.
#pragma once

#include <ctime>
#include <optional>
#include <string>
#include <string_view>

namespace sa {

std::string http_date(std::time_t time);
// nullopt for anything but this form, in which all clients of the last decades write.
std::optional<std::time_t> parse_http_date(std::string_view text);

}  // namespace sa
