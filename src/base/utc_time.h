// Times for people and programs: RFC 3339, UTC, milliseconds. Pure function.
#pragma once

#include <ctime>
#include <string>

namespace sa {

// "2026-11-15T10:48:40.123Z".
std::string rfc3339(const timespec& time);

}  // namespace sa
