// The first line is a JSON pointer, the second what a variable holds; the rest is the file in which an agent keeps its keys.
// Held: the key is the text a plain walk finds there, and only when a variable has none; nothing is shown of a short one, and
// four characters at most of any other; a file counts when there is something in it.
#include <algorithm>
#include <boost/json.hpp>
#include <string>

#include "agents/credential_values.h"
#include "base/utf8.h"
#include "fuzz_input.h"
#include "scratch.h"

namespace sa::fuzz {
namespace {

namespace json = boost::json;

// RFC 6901. nullopt when there is no text at that place.
std::optional<std::string> text_at(const json::value& document, std::string pointer) {
  const json::value* here = &document;
  while (here && !pointer.empty()) {
    if (pointer[0] != '/') return std::nullopt;
    std::string part = pointer.substr(1, pointer.find('/', 1) - 1);
    pointer.erase(0, part.size() + 1);
    for (std::size_t at = 0; (at = part.find('~', at)) != part.npos; ++at) {
      const char c = at + 1 < part.size() ? part[at + 1] : '\0';
      if (c != '0' && c != '1') return std::nullopt;
      part.replace(at, 2, 1, c == '0' ? '~' : '/');
    }
    if (const auto* object = here->if_object()) {
      here = object->if_contains(part);
    } else if (const auto* array = here->if_array()) {
      const bool right = !part.empty() && part.size() < 10 && part.find_first_not_of("0123456789") == part.npos &&
                         (part.size() == 1 || part[0] != '0');
      here = right ? array->if_contains(std::stoul(part)) : nullptr;
    } else {
      here = nullptr;
    }
  }
  if (!here || !here->is_string()) return std::nullopt;
  return std::string(here->get_string());
}

bool is_usable(const std::optional<std::string>& value) { return value && !is_blank(*value) && !value->contains('\0'); }

void check_redacted(const std::string& value) {
  const std::string shown = redacted(value);
  hold(shown.contains("… (") && shown.ends_with(value.size() == 1 ? "r)" : ")"), "a length is told");
  const std::string beginning = shown.substr(0, shown.find("…"));
  hold(beginning.empty() || (beginning.size() == 4 && value.size() >= 20 && value.starts_with(beginning)), "and little else");
  hold(is_utf8(shown), "in words");
}

void check(std::string_view pointer, std::string_view variable, std::string_view content) {
  static const Scratch home;
  home.write("keys.json", content);
  Manifest manifest;
  manifest.id = "a";
  manifest.credentials = CredentialPlaces{.needed = true,
                                          .variables = {{"KEY", {"OTHER_KEY"}}},
                                          .files = {"~/keys.json"},
                                          .values = {{"~/keys.json", std::string(pointer), "KEY"}}};
  const std::string given(variable);
  const Environment environment = [&](std::string_view name) -> std::optional<std::string> {
    return name == "OTHER_KEY" && !given.empty() ? std::optional(given) : std::nullopt;
  };
  json::error_code error;
  const json::value document = json::parse(content, error, {}, {.max_depth = 256});
  const auto stored = error ? std::nullopt : text_at(document, std::string(pointer));
  const auto found = read_credentials(manifest, environment, home.path());
  const bool from_variable = is_usable(given), from_file = !from_variable && is_usable(stored);
  hold(found.size() == (from_variable || from_file ? 1u : 0u), "a key is found where there is one");
  if (from_variable) hold(found[0].value == given && found[0].place == "OTHER_KEY", "a variable comes first");
  if (from_file) hold(found[0].value == *stored && found[0].place == "~/keys.json", "then the file");
  const Manifest* const agents[] = {&manifest};
  const auto told = providers(agents, environment, home.path());
  hold(told.size() == 1 && (told[0].state == CredentialStatus::found) == !found.empty(),
       "a provider's key is found or missing");
  hold(found.empty() || told[0].place == found[0].place, "where it is");
  check_redacted(given);
  if (stored) check_redacted(*stored);

  const CredentialState state = find_credentials(manifest, environment, home.path());
  hold((state.state == CredentialStatus::found) >= (from_variable || from_file), "who has a key has credentials");
  hold(state.state != CredentialStatus::found || !is_blank(given) || !is_blank(content), "out of nothing comes nothing");
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sa::fuzz;
  std::string_view rest = text_of(data, size), lines[2];
  for (std::string_view& line : lines) {
    line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  if (!lines[0].starts_with('/') || lines[1].contains('\0') || !sa::is_utf8(lines[1])) return -1;
  check(lines[0], lines[1], rest);
  return 0;
}
