#include "cli/tool_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

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

constexpr std::initializer_list<std::string_view> path_members = {"file_path", "path", "abs_path", "filePath", "notebook_path"};
constexpr std::initializer_list<std::string_view> folder_members = {"cwd", "workdir"};

// A command line and its arguments, or all its words, as a shell would take them.
std::string tool_command(const json::object& call) {
  const json::object& input = object_member(call, "rawInput");
  std::string line(string_member(input, "command"));
  for (const json::value& word : array_member(input, line.empty() ? "command" : "args"))
    if (word.is_string()) line.append(line.empty() ? "" : " ").append(shell_quoted(word.get_string()));
  return line;
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
  for (const std::string_view name : path_members) add_tool_path(paths, string_member(input, name));
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
  for (const std::string_view name : folder_members)
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

// Whether the changes show each line of a text of the input. What is replaced by itself need not be shown. The first and the
// last line may be parts of lines.
bool is_in_changes(const json::object& call, std::string_view name, std::string_view text) {
  if (name != "old_string" && name != "new_string" && name != "content") return false;
  const json::object& input = object_member(call, "rawInput");
  const bool is_old = name == "old_string";
  const auto same = split_lines(string_member(input, is_old ? "new_string" : "old_string"));
  std::set<std::string_view> known(same.begin(), same.end());
  std::vector<std::string_view> changed;
  bool has_change = false;
  for (const json::value& part : array_member(call, "content")) {
    if (!part.is_object() || string_member(part.get_object(), "type") != "diff") continue;
    has_change = true;
    const std::string_view before = string_member(part.get_object(), "oldText");
    for (const ChangedLine& line : changed_lines(before, string_member(part.get_object(), "newText")))
      if (line.added != is_old) changed.push_back(line.text);
    if (name == "content") {  // of what is written whole
      const auto kept = split_lines(before);
      known.insert(kept.begin(), kept.end());
    }
  }
  if (!has_change) return name != "content" || !input.contains("new_string");
  known.insert(changed.begin(), changed.end());
  const auto lines = split_lines(text);
  const auto is_shown = [&](const std::string_view& line) {
    const auto has_it = [&](std::string_view whole) { return whole.contains(line); };
    const bool may_be_part = &line == &lines.front() || &line == &lines.back();
    return known.contains(line) || (may_be_part && std::ranges::any_of(changed, has_it));
  };
  return std::ranges::all_of(lines, is_shown);
}

// Whether the other lines show a member of the input, whole.
bool is_shown(const json::object& call, std::string_view name, const json::value& value) {
  const json::object& input = object_member(call, "rawInput");
  if (value.is_null()) return true;
  if (value.is_array() && (name == "command" || (name == "args" && !string_member(input, "command").empty())))
    return std::ranges::all_of(value.get_array(), [](const json::value& word) { return word.is_string(); });
  if (!value.is_string()) return false;
  for (const auto& members : {path_members, folder_members})
    if (std::ranges::count(members, name) > 0) return true;
  return name == "command" || is_in_changes(call, name, value.get_string());
}

// Of the input, what no other line shows; empty when there is nothing.
std::string rest_of_input(const json::object& call) {
  const json::value* input = call.if_contains("rawInput");
  if (!input || input->is_null()) return "";
  if (!input->is_object()) return json::serialize(*input);
  json::object rest;
  for (const auto& [name, value] : input->get_object())
    if (!is_shown(call, name, value)) rest.emplace(name, value);
  return rest.empty() ? "" : json::serialize(rest);
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
  if (const std::string rest = rest_of_input(call); !rest.empty())
    add_words(lines, fmt::format("input: {}", bounded(rest, command_width)));
  return lines;
}

}  // namespace sa
