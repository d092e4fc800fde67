#include "agents/probe_answer.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/shape_read.h"
#include "base/telling_line.h"
#include "base/utf8.h"

namespace sa {
namespace {

constexpr std::size_t longest_told_version = 100;

}  // namespace

std::string refusal_words(std::string_view error) {
  const auto parsed = parse_json(error);
  const boost::json::object* object = parsed ? parsed->if_object() : nullptr;
  const boost::json::value* message = object ? object->if_contains("message") : nullptr;
  const boost::json::value* code = object ? object->if_contains("code") : nullptr;
  std::string words = message && message->is_string() ? printable_line(message->get_string()) : "";
  if (is_blank(words)) words = "the agent refused";
  if (code && code->is_number()) words += fmt::format(" ({})", boost::json::serialize(*code));
  return words;
}

std::string agent_version_in(const boost::json::value& initialize_result) {
  boost::json::error_code missing;
  const boost::json::value* found = initialize_result.find_pointer("/agentInfo/version", missing);
  if (!found || !found->is_string()) return "";
  const std::string_view version = found->get_string();
  return version.size() <= longest_told_version && is_printable_utf8(version) ? std::string(version) : "";
}

}  // namespace sa
