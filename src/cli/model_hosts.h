// Where the models behind a key are, by the name of the variable that holds it. Pure function.
#pragma once

#include <string>
#include <string_view>

#include "base/settings.h"

namespace sa {

struct ModelHost {
  std::string_view prefix;  // of the variables' names
  std::string_view url;
};

inline constexpr ModelHost model_hosts[] = {
    {"ANTHROPIC_", "https://api.anthropic.com"},
    {"CLAUDE_", "https://api.anthropic.com"},
    {"OPENAI_", "https://api.openai.com"},
    {"CODEX_", "https://api.openai.com"},
    {"GEMINI_", "https://generativelanguage.googleapis.com"},
    {"GOOGLE_", "https://generativelanguage.googleapis.com"},
    {"DEEPSEEK_", "https://api.deepseek.com"},
    {"GROQ_", "https://api.groq.com"},
    {"MISTRAL_", "https://api.mistral.ai"},
    {"OPENROUTER_", "https://openrouter.ai"},
    {"XAI_", "https://api.x.ai"},
    {"GITHUB_", "https://api.githubcopilot.com"},
    {"GH_", "https://api.githubcopilot.com"},
    {"COPILOT_", "https://api.githubcopilot.com"},
    {"CURSOR_", "https://api2.cursor.sh"},
    {"AMP_", "https://ampcode.com"},
};

// Empty when it is not known. A provider's own variable (OPENAI_BASE_URL) says where it is instead.
inline std::string model_host(std::string_view variable, const Environment& environment) {
  for (const auto& [prefix, url] : model_hosts) {
    if (!variable.starts_with(prefix)) continue;
    const auto own = environment(std::string(prefix) + "BASE_URL");
    return own && own->starts_with("http") ? *own : std::string(url);
  }
  return "";
}

}  // namespace sa
