// Names and ids that nobody else has. No secrets: where the system forbids random numbers, they are made up from what differs.
// Any thread.
#pragma once

#include <cstddef>
#include <string>

namespace sa {

// Two hexadecimal digits for each byte.
std::string random_hex(std::size_t bytes);

}  // namespace sa
