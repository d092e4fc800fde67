// What the server says when it is ready, for people and for programs, and when it cannot start.
#pragma once

#include <string>

#include "agents/agents.h"
#include "base/settings.h"
#include "base/shape.h"
#include "daemon/token.h"

namespace sa {

std::string url_of(const std::string& host, std::uint16_t port);
// `stored`: a generated token is kept where our other commands find it.
std::string startup_text(const std::string& url, const Token& token, bool stored, const Agents& agents,
                         const Settings& settings);
// What programs are told.
struct ReadyDocument {
  std::string event = "ready";
  std::string url;
  std::uint16_t port = 0;
  std::int64_t pid = 0;
  std::string version;
  std::optional<std::string> token;
};

template <>
struct Shape<ReadyDocument> {
  using D = ReadyDocument;
  static constexpr std::string_view name = "Ready";
  static constexpr std::string_view help = "The server listens.";
  static constexpr std::tuple fields{
      Field{"event", &D::event, "Always 'ready'."},  Field{"url", &D::url, "Where it listens."},
      Field{"port", &D::port, "The port of it."},    Field{"pid", &D::pid, "Its process id."},
      Field{"version", &D::version, "Its version."}, Field{"token", &D::token, "Its token, when it was generated."},
  };
};

std::string ready_line(const std::string& url, std::uint16_t port, const Token& token);

std::string port_taken_sentence(std::uint16_t port);

// "error: what", "  why", "  try: what to do" on stderr.
void print_error(std::string_view what, std::string_view why, std::string_view what_to_do);

}  // namespace sa
