// The input is an agent's answer to initialize when it begins like JSON, else what a program says before it fails. Held: what
// is told of it is one printable line, bounded, and says what was said; a version is one the agent gave.
// Inputs: at most 640 bytes.
#include <algorithm>
#include <boost/json.hpp>
#include <string>
#include <vector>

#include "agents/probe_answer.h"
#include "base/shape_read.h"
#include "base/telling_line.h"
#include "base/utf8.h"
#include "fuzz_input.h"

namespace sa::fuzz {
namespace {

namespace json = boost::json;

constexpr std::size_t longest = 500;

// What is told as it is.
bool is_plain(std::string_view text) { return text.size() <= longest && is_printable_utf8(text); }

void check_refusal(std::string_view text, const json::object* error) {
  const std::string words = refusal_words(text);
  hold(is_printable_utf8(words) && !is_blank(words), "a refusal is one printable line");
  const json::value* code = error ? error->if_contains("code") : nullptr;
  const std::string behind = code && code->is_number() ? " (" + json::serialize(*code) + ")" : "";
  hold(words.size() <= longest + behind.size(), "and short");
  const json::value* message = error ? error->if_contains("message") : nullptr;
  const std::string_view said = message && message->is_string() ? std::string_view(message->get_string()) : "";
  if (is_plain(said))
    hold(words == (is_blank(said) ? "the agent refused" : std::string(said)) + behind, "in the agent's words");
}

void check_version(const json::object& result) {
  const std::string version = agent_version_in(result);
  const json::value* info = result.if_contains("agentInfo");
  const json::value* given = info && info->is_object() ? info->get_object().if_contains("version") : nullptr;
  const bool is_given = given && given->is_string() && given->get_string().size() <= 100;
  const std::string_view text = is_given ? std::string_view(given->get_string()) : "";
  hold(version == (is_printable_utf8(text) ? text : ""), "a version is the one that was given, when people can read it");
}

std::string_view trimmed(std::string_view line) { return line.substr(0, line.find_last_not_of(" \t\r\n") + 1); }

void check_last_line(std::string_view text, const std::vector<std::string_view>& lines, const std::string& told) {
  hold(is_printable_utf8(told) && told.size() <= longest, "what is told is one printable line, and short");
  hold(told.empty() == is_blank(text), "something is told of everything");
  std::string_view last;
  for (const std::string_view line : lines)
    if (!is_blank(line)) last = trimmed(line);
  if (is_plain(last)) hold(told == last, "the last line that says something is told");
}

// A line of npm that says in words what is wrong.
bool is_telling(std::string_view line) {
  if (!line.starts_with("npm error ") || line.contains("A complete log of this run")) return false;
  const std::string_view words = line.substr(std::string_view("npm error ").size());
  for (const std::string_view detail : {"code ", "syscall ", "errno ", "path ", "dest "})
    if (words.starts_with(detail)) return false;
  return !is_blank(words);
}

void check_npm(std::string_view text, const std::vector<std::string_view>& lines, const std::string& last) {
  const auto telling = std::ranges::find_if(lines, is_telling);
  const std::string expected =
      telling == lines.end() ? last : last_line(telling->substr(std::string_view("npm error ").size()));
  hold(npm_line(text) == expected, "npm's first error in words is told, else the last line");
}

void check_cause(std::string_view text, const std::vector<std::string_view>& lines) {
  const std::string told = cause_line(text);
  hold(told.empty() == is_blank(text), "something is told of everything that says something");
  hold(told.empty() || std::ranges::any_of(lines, [&](std::string_view line) { return last_line(line) == told; }),
       "what is told is one of its lines");
}

void check_answer(std::string_view text) {
  const auto value = parse_json(text);
  const json::object* object = value ? value->if_object() : nullptr;
  check_refusal(text, object);
  if (object) check_version(*object);
}

void check_words(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(std::min(lines.back().size() + 1, rest.size())))
    lines.push_back(rest.substr(0, rest.find('\n')));
  const std::string last = last_line(text);
  check_last_line(text, lines, last);
  check_npm(text, lines, last);
  check_cause(text, lines);
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = sa::fuzz::text_of(data, size);
  text.starts_with('{') || text.starts_with('[') ? sa::fuzz::check_answer(text) : sa::fuzz::check_words(text);
  return 0;
}
