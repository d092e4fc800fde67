#include "io/proxy_choice.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <charconv>
#include <initializer_list>

#include "io/basic_credentials.h"
#include "io/lower_case.h"

namespace sa {
namespace {

struct Variable {
  std::string name;
  std::string value;
};

std::optional<Variable> first_of(std::initializer_list<const char*> names, const Environment& environment) {
  for (const char* name : names)
    if (auto value = environment(name); value && !value->empty()) return Variable{name, std::move(*value)};
  return std::nullopt;
}

std::optional<Variable> proxy_variable(bool secure, const Environment& environment) {
  if (secure) return first_of({"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}, environment);
  if (environment("REQUEST_METHOD")) return first_of({"http_proxy", "all_proxy", "ALL_PROXY"}, environment);
  return first_of({"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"}, environment);
}

std::optional<std::uint32_t> ipv4(std::string_view text) {
  in_addr address{};
  if (::inet_pton(AF_INET, std::string(text).c_str(), &address) != 1) return std::nullopt;
  return ntohl(address.s_addr);
}

bool is_in_range(std::string_view host, std::string_view range) {
  const std::size_t slash = range.find('/');
  const auto address = ipv4(host);
  const auto base = ipv4(range.substr(0, slash));
  const std::string_view digits = range.substr(slash + 1);
  unsigned bits = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  if (!address || !base || failed != std::errc() || end != digits.data() + digits.size() || bits > 32) return false;
  return bits == 0 || (*address ^ *base) >> (32 - bits) == 0;
}

bool matches(const UrlParts& url, std::string_view entry) {
  if (entry == "*") return true;
  if (entry.contains('/')) return is_in_range(url.host, entry);
  std::string_view port;
  if (entry.starts_with('[')) {
    const std::size_t end = entry.find(']');
    if (end == entry.npos) return false;
    port = entry.substr(end + 1);
    entry = entry.substr(1, end - 1);
  } else if (const std::size_t colon = entry.find(':'); colon != entry.npos && entry.find(':', colon + 1) == entry.npos) {
    port = entry.substr(colon);
    entry = entry.substr(0, colon);
  }
  if (!port.empty() && port != fmt::format(":{}", url.port)) return false;
  if (entry.starts_with("*.")) entry.remove_prefix(1);
  if (entry.starts_with('.')) entry.remove_prefix(1);
  const std::string name = lower_case(entry);
  if (name.empty()) return false;
  return url.host == name || (url.host.ends_with("." + name) && !is_ip_address(url.host));
}

}  // namespace

bool is_exempt(const UrlParts& url, std::string_view no_proxy) {
  while (!no_proxy.empty()) {
    const std::size_t end = std::min(no_proxy.find_first_of(", \t"), no_proxy.size());
    if (end > 0 && matches(url, no_proxy.substr(0, end))) return true;
    no_proxy.remove_prefix(std::min(end + 1, no_proxy.size()));
  }
  return false;
}

std::expected<std::optional<Proxy>, std::string> choose_proxy(const UrlParts& url, const Environment& environment) {
  if (is_loopback(url.host)) return std::nullopt;
  const auto variable = proxy_variable(url.secure, environment);
  if (!variable) return std::nullopt;
  if (const auto exempt = first_of({"no_proxy", "NO_PROXY"}, environment); exempt && is_exempt(url, exempt->value))
    return std::nullopt;

  const auto refuse = [&](std::string_view reason) {
    return std::unexpected(fmt::format("The proxy in {} cannot be used: {}.", variable->name, reason));
  };
  const bool has_scheme = variable->value.contains("://");
  const std::string scheme = has_scheme ? lower_case(variable->value.substr(0, variable->value.find("://"))) : "http";
  if (scheme == "https" || scheme.starts_with("socks"))
    return refuse("only proxies that are spoken to with plain HTTP (http://host:port) are supported");
  const auto parts = parse_url(has_scheme ? variable->value : "http://" + variable->value);
  if (!parts) return refuse(parts.error());
  Proxy proxy{.host = parts->host, .port = parts->port};
  if (parts->userinfo.empty()) return proxy;
  auto credentials = basic_credentials(parts->userinfo);
  if (!credentials) return refuse("its user name or password has a broken escape");
  proxy.authorization = std::move(*credentials);
  return proxy;
}

}  // namespace sa
