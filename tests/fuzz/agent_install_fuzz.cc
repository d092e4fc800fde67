// What was installed says of itself: the first byte chooses an install's record, a bundle's index, a package's package.json
// (the first line names the package and the program), a launcher's link (the first line names the agent) or an answer to
// session/new. Held: what is taken, written anew, is the same; a program is one the package names; a link leads to one tree of
// its agent; what an agent offers can be chosen, and is what it said.
#include <algorithm>
#include <boost/json.hpp>
#include <string>

#include "agents/bundle.h"
#include "agents/install_record.h"
#include "agents/npm_install.h"
#include "agents/offered_options.h"
#include "agents/store.h"
#include "base/shape_read.h"
#include "documents.h"
#include "fuzz_input.h"

namespace sa::fuzz {
namespace {

namespace json = boost::json;

void check_record(std::string_view text) {
  const auto record = read_install_record(text);
  if (!record) return hold_refusal(record.error());
  hold(!record->artifacts.empty(), "an install has a program");
  hold_stable(*record, read_install_record);
}

Result<BundleIndex> read_bundle(std::string_view text) {
  TRY(const auto value, parse_json(text));
  return from_json<BundleIndex>(value);
}

void check_bundle(std::string_view text) {
  const auto index = read_bundle(text);
  if (!index) return hold_refusal(index.error());
  hold_stable(*index, read_bundle);
}

void check_package(std::string_view line, std::string_view text) {
  const std::string package(line.substr(0, line.find(' ')));
  const std::string wanted(line.substr(std::min(package.size() + 1, line.size())));
  const auto program = program_of_package(text, package, wanted);
  json::error_code error;
  const json::value value = json::parse(text, error, {}, {.max_depth = 256});
  if (!program) return hold(!program.error().detail.empty(), "a refusal is a sentence");
  hold(!error && value.is_object() && value.get_object().contains("bin"), "a package names its programs");
  const json::value& bin = value.at("bin");
  const std::string own = package.substr(package.rfind('/') + 1);
  hold(bin.is_string() ? *program == own : bin.is_object() && bin.get_object().contains(*program),
       "the program is one of them");
  hold(wanted.empty() || *program == wanted, "the one that is wanted is taken");
  if (wanted.empty() && bin.is_object()) hold(bin.get_object().size() == 1 || *program == own, "there is no guessing");
}

// Up to three numbers, however long.
std::vector<std::string> numbers(std::string_view version) {
  std::vector<std::string> all;
  while (all.size() < 3) {
    version.remove_prefix(std::min(version.find_first_of("0123456789"), version.size()));
    std::string_view number = version.substr(0, version.find_first_not_of("0123456789"));
    version.remove_prefix(number.size());
    number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
    all.emplace_back(number);
  }
  return all;
}

void check_versions(std::string_view text) {
  const std::string_view a = text.substr(0, text.find('\n')), b = text.substr(std::min(a.size() + 1, text.size()));
  const auto less = [](const std::string& x, const std::string& y) {
    return x.size() != y.size() ? x.size() < y.size() : x < y;
  };
  const bool older = std::ranges::lexicographical_compare(numbers(a), numbers(b), less);
  hold(is_at_least(a, b) == !older, "versions are compared number by number");
}

void check_link(std::string_view agent, std::string_view text) {
  const auto is_name = [](std::string_view name) {
    return !name.empty() && name != "." && name != ".." && !name.contains('/');
  };
  const std::string begin = std::string(agent) + ".d/";
  const std::string_view tree = tree_in_link(text, agent);
  hold(tree.empty() || (is_name(tree) && text == begin + std::string(tree) + "/launch"), "a link names one tree of its agent");
  const std::string link = begin + std::string(text) + "/launch";
  hold(tree_in_link(link, agent) == (is_name(text) ? text : ""), "every tree can be named");
}

void check_offer(std::string_view text) {
  const auto value = parse_json(text);
  if (!value) return;
  for (const ConfigOption& option : offered_options(*value)) {
    hold(!option.id.empty() && !option.options.empty(), "what is offered can be chosen");
    for (const Choice& choice : option.options) {
      hold(!choice.value.empty() && !choice.name.empty(), "a choice has a value and a name");
      hold(json::serialize(*value).contains(json::serialize(json::value(choice.value))), "the agent named it");
    }
    hold(scan_json(to_json(option)).kind == JsonKind::object, "an option is JSON");
  }
}

void check(char kind, std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  switch (kind) {
    case 'r': return check_record(text);
    case 'b': return check_bundle(text);
    case 'p': return check_package(line, text.substr(std::min(line.size() + 1, text.size())));
    case 'v': return check_versions(text);
    case 'l': return check_link(line, text.substr(std::min(line.size() + 1, text.size())));
    default: return check_offer(text);
  }
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 1) sa::fuzz::check(static_cast<char>(data[0]), sa::fuzz::text_of(data + 1, size - 1));
  return 0;
}
