#include "cli/tool_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_members.h"
#include "base/shell_words.h"
#include "cli/changed_lines.h"
#include "cli/plain_text.h"

namespace sa {
namespace {

namespace json = boost::json;

constexpr std::size_t title_width = 100;
constexpr std::size_t command_width = 1'000;  // what is cut off is not seen by who allows it
constexpr std::size_t detail_width = 160;
constexpr std::size_t most_lines = 12;  // of a command, and of all changes and texts together
constexpr std::size_t most_paths = 6;
constexpr std::size_t least_removed = 4;  // of a long change: what comes in its place is to be seen too

std::size_t characters_in(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char byte) { return (byte & 0xC0) != 0x80; }));
}

// With all it holds to be seen. Says how much is missing.
std::string bounded(std::string_view raw, std::size_t most) {
  const std::string text = harmless(raw);
  const std::size_t all = characters_in(text);
  std::string line = one_line(text, most);
  return all <= most ? line : fmt::format("{} {} more characters", line, all - most);
}

// A command line, or its words as a shell would take them.
std::string tool_command(const json::object& call) {
  const json::object& input = object_member(call, "rawInput");
  if (const std::string_view line = string_member(input, "command"); !line.empty()) return std::string(line);
  std::string words;
  for (const json::value& word : array_member(input, "command"))
    if (word.is_string()) words.append(words.empty() ? "" : " ").append(shell_quoted(word.get_string()));
  return words;
}

void add_tool_path(std::vector<std::string>& paths, std::string_view path) {
  if (!path.empty() && std::ranges::find(paths, path) == paths.end()) paths.emplace_back(path);
}

std::vector<std::string> paths_of(const json::object& call) {
  std::vector<std::string> paths;
  for (const json::value& part : array_member(call, "content"))
    if (part.is_object() && string_member(part.get_object(), "type") == "diff")
      add_tool_path(paths, string_member(part.get_object(), "path"));
  const json::object& input = object_member(call, "rawInput");
  for (const std::string_view name : {"file_path", "path", "abs_path", "filePath", "notebook_path"})
    add_tool_path(paths, string_member(input, name));
  for (const json::value& place : array_member(call, "locations"))
    if (place.is_object()) add_tool_path(paths, string_member(place.get_object(), "path"));
  return paths;
}

std::string_view name_in(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path.substr(path.find_last_of('/') + 1);
}

// What is run or touched; empty when that is not known.
std::string input_of(const json::object& call, std::string_view title) {
  if (const std::string command = tool_command(call); !command.empty())
    return title.contains(command.substr(0, title_width / 2)) ? "" : command;
  const std::vector<std::string> paths = paths_of(call);
  return paths.empty() || title.contains(name_in(paths.front())) ? "" : paths.front();
}

void add_words(std::vector<DetailLine>& lines, std::string text) {
  lines.push_back({DetailLine::Kind::words, std::move(text)});
}

void add_command(std::vector<DetailLine>& lines, const json::object& call) {
  const std::string command = tool_command(call);
  const std::vector<std::string_view> parts = split_lines(command);
  for (std::size_t at = 0; at < std::min(parts.size(), most_lines); ++at)
    add_words(lines, fmt::format("{}{}", at == 0 ? "command: " : "         ", bounded(parts[at], command_width)));
  if (parts.size() > most_lines) add_words(lines, fmt::format("… {} more lines of the command", parts.size() - most_lines));
  const json::object& input = object_member(call, "rawInput");
  for (const std::string_view name : {"cwd", "workdir"})
    if (const std::string_view folder = string_member(input, name); !folder.empty())
      add_words(lines, fmt::format("in: {}", bounded(folder, detail_width)));
}

void add_paths(std::vector<DetailLine>& lines, const json::object& call) {
  const std::vector<std::string> paths = paths_of(call);
  for (std::size_t at = 0; at < std::min(paths.size(), most_paths); ++at)
    add_words(lines, fmt::format("path: {}", bounded(paths[at], detail_width)));
  if (paths.size() > most_paths) add_words(lines, fmt::format("… {} more paths", paths.size() - most_paths));
}

void add_change(std::vector<DetailLine>& lines, std::string_view before, std::string_view after) {
  for (const ChangedLine& line : changed_lines(before, after))
    lines.push_back({line.added ? DetailLine::Kind::added : DetailLine::Kind::removed,
                     fmt::format("{} {}", line.added ? '+' : '-', bounded(line.text, detail_width))});
}

// Changes and texts, all of them.
std::vector<DetailLine> contents_of(const json::object& call) {
  std::vector<DetailLine> lines;
  bool has_change = false;
  for (const json::value& part : array_member(call, "content")) {
    if (!part.is_object()) continue;
    const json::object& content = part.get_object();
    if (string_member(content, "type") == "diff") {
      has_change = true;
      add_change(lines, string_member(content, "oldText"), string_member(content, "newText"));
    }
    for (const std::string_view line : split_lines(string_member(object_member(content, "content"), "text")))
      add_words(lines, bounded(line, detail_width));
  }
  const json::object& input = object_member(call, "rawInput");
  if (!has_change)
    add_change(lines, string_member(input, "old_string"),
               input.contains("new_string") ? string_member(input, "new_string") : string_member(input, "content"));
  return lines;
}

// As many as may be seen, in their order, and how many are missing.
void add_bounded(std::vector<DetailLine>& lines, std::vector<DetailLine> contents) {
  const auto removed = static_cast<std::size_t>(std::ranges::count(contents, DetailLine::Kind::removed, &DetailLine::kind));
  const std::size_t others = contents.size() - removed;
  std::size_t removed_left = std::min(removed, std::max(most_lines - std::min(others, most_lines), least_removed));
  std::size_t others_left = most_lines - removed_left;
  std::size_t missing = 0;
  for (DetailLine& line : contents) {
    std::size_t& left = line.kind == DetailLine::Kind::removed ? removed_left : others_left;
    if (left == 0) {
      ++missing;
    } else {
      --left;
      lines.push_back(std::move(line));
    }
  }
  if (missing > 0) add_words(lines, fmt::format("… {} more {}", missing, missing == 1 ? "line" : "lines"));
}

}  // namespace

void add_said(json::object& call, const json::object& later) {
  for (const auto& [name, value] : later) {
    const bool says_nothing = value.is_null() || (value.is_object() && value.get_object().empty());
    if (!says_nothing && name != "sessionUpdate") call[name] = value;
  }
}

std::string tool_title(const json::object& call) {
  const std::string title = one_line(string_member(call, "title"), title_width);
  return title.empty() ? one_line(string_member(call, "toolCallId"), title_width) : title;
}

std::string tool_line(const json::object& call) {
  const std::string title = tool_title(call);
  const std::string input = one_line(input_of(call, string_member(call, "title")), title_width);
  return input.empty() ? title : fmt::format("{}: {}", title, input);
}

bool tells_input(const json::object& call) { return !tool_command(call).empty() || !paths_of(call).empty(); }

std::vector<DetailLine> tool_details(const json::object& call) {
  std::vector<DetailLine> lines;
  add_command(lines, call);
  add_paths(lines, call);
  add_bounded(lines, contents_of(call));
  const json::object& input = object_member(call, "rawInput");
  if (lines.empty() && !input.empty())
    add_words(lines, fmt::format("input: {}", bounded(json::serialize(input), command_width)));
  return lines;
}

}  // namespace sa
