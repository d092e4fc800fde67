#include "agents/launch_script.h"

#include <fmt/format.h>

#include "base/shell_words.h"

namespace sa {

std::string to_text(const LaunchScript& script) {
  std::string title;
  for (char c : script.title) title += c == '\n' || c == '\r' ? ' ' : c;
  std::string text = fmt::format("#!/bin/sh\n# Starts {}. Made by sandbox-agent; an install replaces it.\n", title);
  std::string front;
  for (const std::string& folder : script.path) front += shell_quoted(folder) + ":";
  if (!front.empty()) text += fmt::format("PATH={}\"${{PATH:-/usr/bin:/bin}}\"\nexport PATH\n", front);
  for (const auto& [name, value] : script.env)
    text += fmt::format("[ -n \"${{{}+set}}\" ] || export {}={}\n", name, name, shell_quoted(value));
  if (!script.args.empty()) {
    text += "[ $# -gt 0 ] || set --";
    for (const std::string& word : script.args) text += " " + shell_quoted(word);
    text += "\n";
  }
  return text + fmt::format("exec {} \"$@\"\n", shell_quoted(script.program));
}

}  // namespace sa
