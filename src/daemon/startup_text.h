// What the server says when it is ready, for people and for programs, and when it cannot start.
#pragma once

#include <string>

#include "agents/agents.h"
#include "base/settings.h"
#include "daemon/token.h"

namespace sa {

std::string url_of(const std::string& host, std::uint16_t port);
// `stored`: a generated token is kept where our other commands find it.
std::string startup_text(const std::string& url, const Token& token, bool stored, const Agents& agents,
                         const Settings& settings);
std::string ready_line(const std::string& url, std::uint16_t port, const Token& token);

std::string port_taken_sentence(std::uint16_t port);

// "error: what", "  why", "  try: what to do" on stderr.
void print_error(std::string_view what, std::string_view why, std::string_view what_to_do);

}  // namespace sa
