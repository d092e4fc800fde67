// The lines are a URL, a reference seen from it, what no_proxy says and what a proxy variable says. Held: a URL that is taken
// is its parts, and written anew has the same; a reference leads where RFC 3986 says; who is exempt from a proxy is named, and
// a proxy gets the credentials of its URL and no others.
#include <algorithm>
#include <optional>
#include <string>

#include "fuzz_input.h"
#include "io/proxy_choice.h"
#include "io/url_parts.h"
#include "plain_head.h"

namespace sa::fuzz {
namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

bool same(const UrlParts& a, const UrlParts& b) { return a.same_origin(b) && a.target == b.target; }

void check_parts(std::string_view text, const UrlParts& url) {
  hold(std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f; }), "a URL is visible ASCII");
  hold(lower(std::string(text)).starts_with(url.secure ? "https://" : "http://"), "the scheme is the one that was written");
  hold(!url.host.empty() && url.host == lower(url.host) && url.port != 0, "there is a host and a port");
  hold(url.target.starts_with('/') && !url.target.contains('#'), "the target is a path on the server");
  hold(url.host.find_first_of("@/?#[]\\") == url.host.npos, "the host is nothing but a host");
  std::string_view rest = text.substr(text.find("://") + 3);
  rest = rest.substr(0, rest.find('#'));
  const std::string authority(rest.substr(0, rest.find_first_of("/?")));
  hold(("/" + std::string(rest.substr(authority.size()))).ends_with(url.target), "the target is what follows the authority");
  const std::size_t at = authority.rfind('@');
  hold(url.userinfo == (at == authority.npos ? "" : authority.substr(0, at)), "the userinfo stands before the last @");
  const std::string where = lower(authority.substr(at + 1));  // npos + 1 is 0
  const std::string name = url.host.contains(':') ? "[" + url.host + "]" : url.host;
  hold(where == name || where == name + ":" ||
           (where.starts_with(name + ":") && std::stoi(where.substr(name.size() + 1)) == url.port),
       "host and port are what was written");
  hold(where.size() > name.size() + 1 || url.port == (url.secure ? 443 : 80), "a port that is not written is the scheme's");
  const auto again = parse_url(url.text());
  hold(again && same(*again, url) && again->userinfo.empty(), "written anew it has the same parts and no credentials");
}

// RFC 3986, 5.2.4, word for word.
std::string without_dots(std::string input) {
  std::string output;
  const auto cut_output = [&] { output.erase(std::min(output.rfind('/'), output.size())); };
  while (!input.empty()) {
    if (input.starts_with("../")) {
      input.erase(0, 3);
    } else if (input.starts_with("./")) {
      input.erase(0, 2);
    } else if (input.starts_with("/./")) {
      input.erase(0, 2);
    } else if (input == "/.") {
      input = "/";
    } else if (input.starts_with("/../")) {
      input.erase(0, 3);
      cut_output();
    } else if (input == "/..") {
      input = "/";
      cut_output();
    } else if (input == "." || input == "..") {
      input.clear();
    } else {
      const std::size_t end = std::min(input.find('/', 1), input.size());
      output += input.substr(0, end);
      input.erase(0, end);
    }
  }
  return output;
}

void check_reference(const UrlParts& base, std::string_view reference) {
  const auto found = resolve_url(base, reference);
  if (!found) return;
  const std::size_t mark = reference.find_first_of(":/?#");
  const bool is_whole = mark != reference.npos && mark > 0 && reference[mark] == ':';
  if (is_whole || reference.starts_with("//")) {
    const std::string scheme = base.secure ? "https:" : "http:";
    const auto parsed = parse_url(is_whole ? std::string(reference) : scheme + std::string(reference));
    return hold(parsed && same(*parsed, *found), "a whole URL is itself");
  }
  hold(found->same_origin(base) && found->userinfo.empty(), "a reference stays with its server");
  reference = reference.substr(0, reference.find('#'));
  const std::string base_path = base.target.substr(0, base.target.find('?'));
  const std::size_t query = std::min(reference.find('?'), reference.size());
  const std::string path(reference.substr(0, query));
  std::string merged = path.empty()            ? base_path
                       : path.starts_with('/') ? path
                                               : base_path.substr(0, base_path.rfind('/') + 1) + path;
  merged = without_dots(merged);
  if (merged.empty()) merged = "/";
  hold(found->target == (reference.empty() ? base.target : merged + std::string(reference.substr(query))),
       "a reference leads where the standard says");
}

void check_exemption(const UrlParts& url, std::string_view list) {
  const bool exempt = is_exempt(url, list);
  hold(is_exempt(url, std::string(list) + ",*"), "a star exempts everything");
  if (exempt) hold(is_exempt(url, "other.example " + std::string(list)), "more entries exempt more");
  if (!exempt || list.find_first_of(", \t*/[") != list.npos) return;
  std::string name = lower(std::string(list));
  if (std::ranges::count(name, ':') == 1) {
    hold(name.ends_with(":" + std::to_string(url.port)), "an entry with a port is for that port");
    name.erase(name.find(':'));
  }
  if (name.starts_with('.')) name.erase(0, 1);
  hold(!name.empty() && (url.host == name || url.host.ends_with("." + name)), "an entry is for its host and those below");
}

std::string base64_undone(std::string_view text) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0, have = 0;
  for (const char c : text.substr(0, text.find('='))) {
    bits = bits << 6 | static_cast<unsigned>(letters.find(c));
    have += 6;
    if (have < 8) continue;
    have -= 8;
    out += static_cast<char>(bits >> have);
  }
  return out;
}

std::optional<std::string> decoded(std::string text) {
  constexpr std::string_view hex = "0123456789abcdefABCDEF";
  for (std::size_t at = 0; (at = text.find('%', at)) != text.npos; ++at) {
    const std::string two = text.substr(at + 1, 2);
    if (two.size() != 2 || !hex.contains(two[0]) || !hex.contains(two[1])) return std::nullopt;
    text.replace(at, 3, 1, static_cast<char>(std::stoi(two, nullptr, 16)));
  }
  return text;
}

void check_proxy(const UrlParts& url, const std::string& no_proxy, const std::string& variable) {
  const Environment environment = [&](std::string_view name) -> std::optional<std::string> {
    if (name == (url.secure ? "https_proxy" : "http_proxy")) return variable;
    return name == "no_proxy" ? std::optional(no_proxy) : std::nullopt;
  };
  const auto proxy = choose_proxy(url, environment);
  const bool direct = is_loopback(url.host) || variable.empty() || is_exempt(url, no_proxy);
  if (!proxy) return hold(!direct && !proxy.error().contains('@'), "a refusal names no credentials");
  hold(proxy->has_value() != direct, "a proxy is used where one is named and nothing is exempt");
  if (direct) return;
  const auto parsed = parse_url(variable.contains("://") ? variable : "http://" + variable);
  hold(parsed && !parsed->secure && (*proxy)->host == parsed->host && (*proxy)->port == parsed->port, "it is the one named");
  std::string_view header = (*proxy)->authorization;
  hold(header.empty() == parsed->userinfo.empty(), "it gets credentials when its URL has some");
  if (header.empty()) return;
  hold(header.starts_with("Basic "), "credentials are basic");
  auto expected = decoded(parsed->userinfo);
  if (expected && !parsed->userinfo.contains(':')) *expected += ':';
  hold(base64_undone(header.substr(6)) == expected, "they are those of its URL");
}

bool is_loopback_plainly(const std::string& host) {
  if (host == "localhost" || host == "::1" || host == "0:0:0:0:0:0:0:1") return true;
  return host.starts_with("127.") && is_ip_address(host);
}

void check(const std::string (&lines)[4]) {
  const auto url = parse_url(lines[0]);
  if (!url) return hold(!url.error().empty(), "a refusal has a reason");
  check_parts(lines[0], *url);
  check_reference(*url, lines[1]);
  check_exemption(*url, lines[2]);
  check_proxy(*url, lines[2], lines[3]);
  if (!url->host.contains(':')) hold(is_loopback(url->host) == is_loopback_plainly(url->host), "this machine is this machine");
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest = sa::fuzz::text_of(data, size);
  std::string lines[4];
  for (std::string& line : lines) {
    line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  sa::fuzz::check(lines);
  return 0;
}
