// The lines are a Host, an Origin and an Authorization, each left out when it is empty. Held: a gate opens to the hosts it was
// told and to this machine, to web pages of the same host and port or of an allowed origin, and to nobody without the token.
#include <algorithm>
#include <optional>
#include <string>

#include "fuzz_input.h"
#include "http/gate.h"
#include "plain_head.h"

namespace sa::fuzz {
namespace {

struct PlainAuthority {
  std::string_view host, port;
};

bool is_number(std::string_view text) { return text.find_first_not_of("0123456789") == text.npos; }

// nullopt for what names no host.
std::optional<PlainAuthority> authority(std::string_view text) {
  PlainAuthority found{text, {}};
  const auto colons = std::ranges::count(text, ':');
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == text.npos || (end + 1 < text.size() && text[end + 1] != ':')) return std::nullopt;
    found = {text.substr(1, end - 1), text.substr(std::min(end + 2, text.size()))};
  } else if (colons == 1) {
    found = {text.substr(0, text.find(':')), text.substr(text.find(':') + 1)};
  }
  if (found.host.empty() || !is_number(found.port)) return std::nullopt;
  return found;
}

bool is_127(std::string_view host) {
  int parts = 0;
  while (!host.empty() || parts < 4) {
    const std::string_view part = host.substr(0, host.find('.'));
    const bool has_dot = part.size() < host.size();
    host.remove_prefix(std::min(part.size() + 1, host.size()));
    if (part.empty() || part.size() > 3 || !is_number(part) || (part.size() > 1 && part[0] == '0')) return false;
    if (std::stoi(std::string(part)) > 255 || (parts == 0 && part != "127")) return false;
    if (++parts == 4) return !has_dot;
    if (!has_dot) return false;
  }
  return false;
}

bool is_here(std::string_view host) {
  constexpr std::string_view below = ".localhost";
  return same_word(host, "localhost") || host == "::1" || is_127(host) ||
         (host.size() > below.size() && same_word(host.substr(host.size() - below.size()), below));
}

bool is_own_page(std::string_view origin, std::string_view host) {
  const std::size_t mark = origin.find("://");
  if (mark == origin.npos) return false;
  const std::string_view usual = same_word(origin.substr(0, mark), "https") ? "443" : "80";
  const auto from = authority(origin.substr(mark + 3)), to = authority(host);
  if (!from || !to || !same_word(from->host, to->host)) return false;
  return (from->port.empty() ? usual : from->port) == (to->port.empty() ? usual : to->port);
}

const Gate narrow({.token = "secret", .bind_host = "127.0.0.1"});
const Gate named(
    {.token = "", .bind_host = "0.0.0.0", .allow_hosts = {"box.example"}, .cors_origins = {"https://app.example"}});
const Gate wide({.token = "", .bind_host = "0.0.0.0"});

void check(std::string_view host, std::string_view origin, std::string_view authorization) {
  Request request;
  request.headers.push_back({"Host", host});
  if (!origin.empty()) request.headers.push_back({"Origin", origin});
  if (!authorization.empty()) request.headers.push_back({"Authorization", authorization});

  const auto to = authority(host);
  const bool here = to && is_here(to->host), own = origin.empty() || is_own_page(origin, host);
  const bool friendly = same_word(origin, "https://app.example");
  const bool box = to && (same_word(to->host, "box.example") || same_word(to->host, "0.0.0.0"));
  hold(narrow.check_source(request).has_value() == (here && own), "this machine's name, and its own pages");
  hold(named.check_source(request).has_value() == ((here || box) && (own || friendly)), "the names and origins it was told");
  hold(wide.check_source(request).has_value() == own, "any name, but its own pages only");

  const std::size_t blank = authorization.find(' ');
  const std::string_view scheme = authorization.substr(0, blank);
  std::string_view rest = blank == authorization.npos ? std::string_view() : authorization.substr(blank);
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  const bool right = rest == "secret" && (same_word(scheme, "bearer") || same_word(scheme, "token"));
  hold(narrow.check_token(request).has_value() == right, "the token and nothing else opens");

  request.headers.push_back({"Access-Control-Request-Method", "PUT"});
  hold(named.is_preflight(request) == friendly && !wide.is_preflight(request), "only an allowed origin asks beforehand");
  const Response answer = named.preflight(request, "GET, PUT");
  hold(answer.headers.contains("allow: GET, PUT\r\n"), "whoever asks is told the methods");
  hold(answer.headers.contains("access-control-allow-methods") == friendly, "and only it is told that it may");

  Response response;
  named.add_cors(request, response);
  hold(response.headers.contains("access-control-allow-origin") == friendly, "only an allowed origin may read answers");
  hold(std::ranges::count(response.headers, '\n') == std::ranges::count(response.headers, '\r'), "a header is one line");
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sa::fuzz;
  std::string_view rest = text_of(data, size);
  const auto is_control = [](char c) { return (c >= 0 && c < ' ' && c != '\n') || c == 0x7f; };
  if (std::ranges::any_of(rest, is_control)) return -1;  // no head has them
  std::string_view lines[3];
  for (std::string_view& line : lines) {
    line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.starts_with(' ') || line.ends_with(' ')) return -1;
  }
  check(lines[0], lines[1], lines[2]);
  return 0;
}
