// Small pieces of Markdown for the reference pages. Pure.
#pragma once

#include <string>
#include <string_view>

namespace sa {

// Text in a table, where a bar would end the cell.
std::string cell(std::string_view text);

// What a link to the heading `title` says behind its #, as Markdown is shown: small letters, digits, dashes for spaces. ASCII
// only.
std::string anchor_of(std::string_view title);

}  // namespace sa
