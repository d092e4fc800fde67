// The input is the index of a bundle, which comes from another machine; @HERE in it stands for this platform. Held: an index
// that is taken is of our format and for this platform, and names agents by ids; written anew it is the same; a record that is
// said to stay in its tree has no path that leads out of it and no variable that is none; a refusal is a failed install in
// words.
#include <algorithm>
#include <filesystem>
#include <string>

#include "agents/bundle.h"
#include "agents/registry_document.h"
#include "documents.h"
#include "fuzz_input.h"

namespace sa::fuzz {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_id(std::string_view text) {
  return !text.empty() && text.size() <= 64 && (is_letter(text[0]) || is_digit(text[0])) &&
         std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '_' || c == '-'; });
}

bool is_variable(std::string_view text) {
  return !text.empty() && !is_digit(text[0]) &&
         std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

// As the system would go, without links.
bool goes_down_only(const std::string& path) {
  int depth = 0;
  for (const std::filesystem::path& part : std::filesystem::path(path)) {
    if (part == "..") --depth;
    if (depth < 0 || part == "/") return false;
    if (part != ".." && part != "." && !part.empty()) ++depth;
  }
  return !path.empty() && !path.contains('\0');
}

void hold_inside(const LaunchRecord& launch) {
  hold(goes_down_only(launch.program), "a program lies in its tree");
  for (const std::string& folder : launch.path) hold(goes_down_only(folder), "and so do its folders");
  for (const auto& [name, value] : launch.env) hold(is_variable(name), "a variable has a name");
}

void check(std::string_view input) {
  std::string text(input);
  const std::string here(this_platform());
  for (std::size_t at = 0; (at = text.find("@HERE", at)) != text.npos; at += here.size()) text.replace(at, 5, here);
  const auto index = read_bundle_index(text);
  if (!index) {
    hold(index.error().code == ErrorCode::install_failed, "what is no bundle is a failed install");
    return hold_refusal(index.error());
  }
  hold(index->format == 1 && index->platform == here, "a bundle is one that can be used here");
  hold_stable(*index, [](std::string_view json) { return read_bundle_index(json); });
  for (const BundledAgent& agent : index->agents) {
    hold(is_id(agent.record.agent) && !agent.record.artifacts.empty(), "an agent is one, and something of it is there");
    if (!stays_in_its_tree(agent.record)) continue;
    hold_inside(agent.record.launch);
    if (agent.record.native) hold_inside(*agent.record.native);
    hold(!agent.record.native_program.value_or("").contains('/'), "a tool has a name");
  }
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
