#include "mock_agent/prompt.h"

#include <algorithm>
#include <array>
#include <vector>

namespace sa::mock {
namespace {

struct BlockKind {
  std::string_view type;
  std::string_view one;
  std::string_view many;
  std::array<std::string_view, 2> members;  // it must have
};

constexpr std::array<BlockKind, 5> block_kinds = {{
    {"text", "", "", {"text", "text"}},
    {"image", "image", "images", {"data", "mimeType"}},
    {"audio", "audio clip", "audio clips", {"data", "mimeType"}},
    {"resource_link", "link", "links", {"name", "uri"}},
    {"resource", "resource", "resources", {"resource", "resource"}},
}};

constexpr std::size_t title_size = 60;

// "1 image", "1 image and 2 links", "1 image, 2 links and 1 resource".
std::string in_words(const std::array<std::size_t, block_kinds.size()>& counts) {
  std::vector<std::string> parts;
  for (std::size_t i = 1; i < counts.size(); ++i) {
    if (counts.at(i) == 0) continue;
    const std::string_view noun = counts.at(i) == 1 ? block_kinds.at(i).one : block_kinds.at(i).many;
    parts.push_back(std::to_string(counts.at(i)) + " " + std::string(noun));
  }
  std::string words;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    words += i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ";
    words += parts.at(i);
  }
  return words;
}

}  // namespace

std::expected<Prompt, RpcError> read_prompt(const json::array& blocks) {
  std::array<std::size_t, block_kinds.size()> counts{};
  std::string text;
  for (const json::value& value : blocks) {
    const json::object* block = value.if_object();
    if (!block) return invalid_params("A content block must be an object.");
    const std::string_view type = string_member(*block, "type");
    const auto* kind = std::ranges::find(block_kinds, type, &BlockKind::type);
    if (kind == block_kinds.end()) return invalid_params("Unknown type of content block: \"" + std::string(type) + "\".");
    for (const std::string_view member : kind->members) {
      const json::value* found = block->if_contains(member);
      if (!found || (member == "resource" ? !found->is_object() : !found->is_string())) {
        return invalid_params("A content block of type " + std::string(type) + " needs \"" + std::string(member) + "\".");
      }
    }
    const auto row = static_cast<std::size_t>(kind - block_kinds.begin());
    if (row == 0) text.append(counts.at(0) == 0 ? "" : "\n").append(string_member(*block, "text"));
    ++counts.at(row);
  }
  return Prompt{std::move(text), in_words(counts)};
}

std::string title_of(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  text = text.substr(0, text.find_first_of("\r\n"));
  if (text.size() <= title_size) return std::string(text);
  std::size_t end = title_size;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not inside a UTF-8 sequence
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace sa::mock
