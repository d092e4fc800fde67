// The input is the copy of a registry that lies on disk; @SHA in it stands for the hash of the registry's address, @NOW for
// this moment. Held: a copy is used exactly when a plain reading finds a document of that address in it, and as it is; an old
// one, when the registry cannot be reached, is told with its time; the file is left as it was.
// Inputs: at most 256 bytes.
#include <boost/json.hpp>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

#include "agents/registry.h"
#include "base/sha256.h"
#include "documents.h"
#include "fuzz_input.h"
#include "scratch.h"

namespace sa::fuzz {
namespace {

namespace json = boost::json;

constexpr std::string_view address = "http://registry.example/agents.json";  // never asked: what is not secure is refused

const std::string& hash() {
  static const std::string hex = [] {
    Sha256 digest;
    digest.add(address);
    return digest.hex();
  }();
  return hex;
}

void replace_all(std::string& text, std::string_view mark, const std::string& value) {
  for (std::size_t at = 0; (at = text.find(mark, at)) != text.npos; at += value.size()) text.replace(at, mark.size(), value);
}

struct PlainCopy {
  std::int64_t time = 0;
  std::string document;
};

std::optional<PlainCopy> read_plainly(std::string_view text) {
  json::error_code error;
  const json::value copy = json::parse(text, error, {}, json::parse_options{.max_depth = 256});
  const json::object* object = error ? nullptr : copy.if_object();
  if (!object) return std::nullopt;
  const json::value* address_hash = object->if_contains("urlSha256");
  const json::value* time = object->if_contains("fetchedAtMs");
  const json::value* document = object->if_contains("document");
  if (!address_hash || !time || !document) return std::nullopt;
  if (!address_hash->is_string() || address_hash->get_string() != hash() || !document->is_string()) return std::nullopt;
  const double* inexact = time->if_double();
  const bool is_zero = inexact && std::isnan(*inexact);  // what Boost.JSON makes of 0e999
  const auto at = time->is_number() && !is_zero ? time->to_number<std::int64_t>(error) : 0;
  if (!time->is_number() || error) return std::nullopt;
  return PlainCopy{at, std::string(document->get_string())};
}

bool is_time(std::string_view text) {
  return text.size() >= 24 && text.ends_with("Z") && text.find_first_not_of("0123456789-+:.TZ") == text.npos;
}

void check(std::string_view input) {
  static const Scratch folder;
  static const Registry registry({.url = std::string(address), .copy_file = folder.at("copy.json")});
  static const StopFlag stop = false;
  const std::int64_t now = unix_millis();
  std::string text(input);
  replace_all(text, "@SHA", hash());
  replace_all(text, "@NOW", std::to_string(now));
  folder.write("copy.json", text);

  const auto expected = read_plainly(text);
  const auto known = registry.known();
  hold(known.has_value() == expected.has_value(), "a copy is of this registry or is none");
  if (known) hold(known->json == expected->document && known->copy_of.empty(), "it is what was kept");
  if (!known) hold(!known.error().detail.empty(), "a refusal is a sentence");

  const auto got = registry.get(stop);
  hold(got.has_value() == expected.has_value(), "without the registry there is only the copy");
  if (got) {
    constexpr std::int64_t hour = 3'600'000, slack = 60'000;
    hold(got->json == expected->document, "and that is used");
    hold(got->copy_of.empty() || is_time(got->copy_of), "its age is a time");
    if (expected->time <= now && expected->time > now - hour + slack) hold(got->copy_of.empty(), "a fresh one is as good");
    if (expected->time > now + slack || expected->time < now - hour) hold(!got->copy_of.empty(), "an old one is told");
  }
  std::ifstream file(folder.at("copy.json"), std::ios::binary);
  hold(std::string(std::istreambuf_iterator<char>(file), {}) == text, "the file is as it was");
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
