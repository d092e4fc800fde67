#include "io/url_parts.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "io/lower_case.h"

namespace sa {
namespace {

constexpr std::uint16_t http_port = 80;
constexpr std::uint16_t https_port = 443;

std::unexpected<std::string> refuse_url(std::string reason) { return std::unexpected(std::move(reason)); }

bool is_visible_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f; });
}

bool is_host_name(std::string_view host) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
  };
  constexpr std::size_t longest = 253;
  return !host.empty() && host.size() <= longest && host.front() != '.' && std::ranges::all_of(host, allowed);
}

bool is_ipv6(const std::string& host) {
  in6_addr address{};
  return ::inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

std::optional<std::uint16_t> parse_port(std::string_view digits) {
  std::uint16_t port = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stopped, failed] = std::from_chars(digits.data(), end, port);
  if (digits.empty() || failed != std::errc() || stopped != end || port == 0) return std::nullopt;
  return port;
}

// "host", "host:port", "[v6]", "[v6]:port" into `url`; the reason when it cannot be.
std::optional<std::string> take_host(UrlParts& url, std::string_view text) {
  std::string_view port;
  bool has_port = false;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == text.npos) return "the brackets of its address are not closed";
    url.host = lower_case(text.substr(1, end - 1));
    if (!is_ipv6(url.host)) return "what is in brackets is not an IPv6 address";
    port = text.substr(end + 1);
    has_port = !port.empty();
    if (has_port && port[0] != ':') return "only a port may follow its address";
    if (has_port) port.remove_prefix(1);
  } else {
    const std::size_t colon = text.find(':');
    has_port = colon != text.npos;
    if (has_port) port = text.substr(colon + 1);
    url.host = lower_case(text.substr(0, colon));
    if (!is_host_name(url.host)) return "it has no usable host name";
  }
  url.port = url.secure ? https_port : http_port;
  if (!has_port || port.empty()) return std::nullopt;
  const auto number = parse_port(port);
  if (!number) return "its port is not a number from 1 to 65535";
  url.port = *number;
  return std::nullopt;
}

std::string in_brackets(const std::string& host) { return host.contains(':') ? "[" + host + "]" : host; }

// The path without "." and ".." segments; it begins with a slash.
std::string without_dots(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/', 1), path.size());
    const std::string_view segment = path.substr(0, end);
    const bool is_last = end == path.size();
    path.remove_prefix(end);
    if (segment == "/..") out.erase(std::min(out.rfind('/'), out.size()));
    if (segment != "/." && segment != "/..") out += segment;
    if (is_last && (segment == "/." || segment == "/..")) out += '/';
  }
  return out.empty() ? "/" : out;
}

bool has_scheme(std::string_view reference) {
  const std::size_t end = reference.find_first_of(":/?#");
  return end != reference.npos && end > 0 && reference[end] == ':';
}

}  // namespace

std::string UrlParts::authority() const { return port == (secure ? https_port : http_port) ? in_brackets(host) : endpoint(); }

std::string UrlParts::endpoint() const { return fmt::format("{}:{}", in_brackets(host), port); }

std::string UrlParts::text() const { return (secure ? "https://" : "http://") + authority() + target; }

bool UrlParts::same_origin(const UrlParts& other) const {
  return secure == other.secure && host == other.host && port == other.port;
}

ParsedUrl parse_url(std::string_view text) {
  if (!is_visible_ascii(text)) return refuse_url("it has blanks or characters that must be percent-encoded");
  const std::size_t scheme_end = text.find("://");
  if (scheme_end == text.npos) return refuse_url("it does not begin with https:// or http://");
  const std::string scheme = lower_case(text.substr(0, scheme_end));
  if (scheme != "https" && scheme != "http") return refuse_url("it does not begin with https:// or http://");
  UrlParts url{.secure = scheme == "https"};
  text.remove_prefix(scheme_end + 3);
  text = text.substr(0, text.find('#'));

  const std::size_t authority_end = std::min(text.find_first_of("/?"), text.size());
  std::string_view authority = text.substr(0, authority_end);
  if (const std::size_t at = authority.rfind('@'); at != authority.npos) {
    url.userinfo = authority.substr(0, at);
    authority.remove_prefix(at + 1);
  }
  if (auto reason = take_host(url, authority)) return refuse_url(std::move(*reason));
  const std::string_view target = text.substr(authority_end);
  url.target = target.starts_with('/') ? std::string(target) : "/" + std::string(target);
  return url;
}

ParsedUrl resolve_url(const UrlParts& base, std::string_view reference) {
  if (has_scheme(reference)) return parse_url(reference);
  if (reference.starts_with("//")) return parse_url((base.secure ? "https:" : "http:") + std::string(reference));
  if (!is_visible_ascii(reference)) return refuse_url("it has blanks or characters that must be percent-encoded");
  reference = reference.substr(0, reference.find('#'));
  UrlParts url = base;
  url.userinfo.clear();
  if (reference.empty()) return url;
  const std::string_view base_path = std::string_view(base.target).substr(0, base.target.find('?'));
  const std::size_t query = std::min(reference.find('?'), reference.size());
  std::string path(reference.substr(0, query));
  if (path.empty()) path = base_path;
  if (!path.starts_with('/')) path = std::string(base_path.substr(0, base_path.rfind('/') + 1)) + path;
  url.target = without_dots(path) + std::string(reference.substr(query));
  return url;
}

bool is_ip_address(std::string_view host) {
  in_addr address{};
  const std::string name(host);
  return is_ipv6(name) || ::inet_pton(AF_INET, name.c_str(), &address) == 1;
}

bool is_loopback(std::string_view host) {
  const std::string name(host);
  in_addr v4{};
  if (::inet_pton(AF_INET, name.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24 == 127;
  in6_addr v6{};
  if (::inet_pton(AF_INET6, name.c_str(), &v6) == 1) return IN6_IS_ADDR_LOOPBACK(&v6);
  return name == "localhost";
}

}  // namespace sa
