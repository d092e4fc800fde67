#include "agents/registry_document.h"

#include <algorithm>

#include "base/shape_read.h"

namespace sa {
namespace {

#if defined(__linux__)
#define SA_OS "linux"
#elif defined(__APPLE__)
#define SA_OS "darwin"
#endif
#if defined(__x86_64__)
#define SA_ARCH "x86_64"
#elif defined(__aarch64__)
#define SA_ARCH "aarch64"
#endif

constexpr std::string_view plumbing_names[] = {"PATH",
                                               "HOME",
                                               "SHELL",
                                               "IFS",
                                               "ENV",
                                               "BASH_ENV",
                                               "CDPATH",
                                               "USER",
                                               "LOGNAME",
                                               "TMPDIR",
                                               "TMP",
                                               "TEMP",
                                               "GCONV_PATH",
                                               "HOSTALIASES",
                                               "LOCALDOMAIN",
                                               "RES_OPTIONS",
                                               "NODE",
                                               "CLASSPATH",
                                               "JAVA_TOOL_OPTIONS",
                                               "RUBYOPT",
                                               "RUBYLIB",
                                               "PERL5OPT",
                                               "PERL5LIB",
                                               "CURL_CA_BUNDLE",
                                               "REQUESTS_CA_BUNDLE",
                                               "HTTP_PROXY",
                                               "HTTPS_PROXY",
                                               "ALL_PROXY",
                                               "NO_PROXY"};
constexpr std::string_view plumbing_prefixes[] = {"LD_",       "DYLD_", "NODE_",    "NPM_", "PYTHON", "PIP_",
                                                  "UV_",       "SSL_",  "OPENSSL_", "GIT_", "XDG_",   "SANDBOX_AGENT_",
                                                  "BASH_FUNC", "LC_",   "GLIBC_"};

const boost::json::array* agents_in(const boost::json::value& document) {
  const auto* object = document.if_object();
  const auto* agents = object ? object->if_contains("agents") : nullptr;
  return agents ? agents->if_array() : nullptr;
}

const boost::json::value* listed(const boost::json::array& agents, std::string_view slug) {
  for (const boost::json::value& agent : agents) {
    const auto* object = agent.if_object();
    const auto* id = object ? object->if_contains("id") : nullptr;
    if (id && id->is_string() && id->get_string() == slug) return &agent;
  }
  return nullptr;
}

Result<RegistryEntry> checked(RegistryEntry entry, const JsonPlace& place) {
  const JsonPlace distribution = place.at("distribution");
  for (const auto& [name, package] : {std::pair("npx", &entry.distribution.npx), std::pair("uvx", &entry.distribution.uvx)})
    if (*package && (*package)->package.empty())
      return fail(misshapen(distribution.at(name).at("package"), "be given: a package with its version"));
  return entry;
}

}  // namespace

std::string_view this_platform() { return SA_OS "-" SA_ARCH; }

bool is_registry(std::string_view document) {
  const auto value = parse_json(document);
  return value && agents_in(*value);
}

Result<std::optional<RegistryEntry>> find_in_registry(std::string_view document, const std::vector<std::string>& slugs) {
  TRY(const auto value, parse_json(document));
  const boost::json::array* agents = agents_in(value);
  const JsonPlace top;
  const JsonPlace list = top.at("agents");
  if (!agents) return fail(misshapen(list, "be a list"));
  for (const std::string& slug : slugs) {
    const auto* found = listed(*agents, slug);
    if (!found) continue;
    const JsonPlace place = list.at(slug);
    auto entry = from_json<RegistryEntry>(*found, place);
    if (entry) entry = checked(std::move(*entry), place);
    if (entry) return std::move(*entry);
    entry.error().detail = "the registry's entry of it cannot be used: " + entry.error().detail;
    return fail(entry.error());
  }
  return std::optional<RegistryEntry>();
}

bool is_plumbing_variable(std::string_view name) {
  std::string upper(name);
  std::ranges::transform(upper, upper.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return std::ranges::find(plumbing_names, upper) != std::end(plumbing_names) ||
         std::ranges::any_of(plumbing_prefixes, [&](std::string_view prefix) { return upper.starts_with(prefix); });
}

}  // namespace sa
