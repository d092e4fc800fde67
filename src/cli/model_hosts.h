// Where the models behind a key are, by the name of the variable that holds it. Pure function.
#pragma once

#include <string>
#include <string_view>

#include "base/settings.h"

namespace sa {

struct ModelHost {
  std::string_view prefix;     // of the variables' names
  std::string_view elsewhere;  // the variable that names another address; empty: none
  std::string_view url;
};

inline constexpr ModelHost model_hosts[] = {
    {"ANTHROPIC_", "ANTHROPIC_BASE_URL", "https://api.anthropic.com"},
    {"CLAUDE_", "ANTHROPIC_BASE_URL", "https://api.anthropic.com"},
    {"OPENAI_", "OPENAI_BASE_URL", "https://api.openai.com"},
    {"CODEX_", "OPENAI_BASE_URL", "https://api.openai.com"},
    {"GEMINI_", "", "https://generativelanguage.googleapis.com"},
    {"GOOGLE_", "", "https://generativelanguage.googleapis.com"},
    {"DEEPSEEK_", "", "https://api.deepseek.com"},
    {"GROQ_", "", "https://api.groq.com"},
    {"MISTRAL_", "", "https://api.mistral.ai"},
    {"OPENROUTER_", "", "https://openrouter.ai"},
    {"XAI_", "", "https://api.x.ai"},
    {"GITHUB_", "", "https://api.githubcopilot.com"},
    {"GH_", "", "https://api.githubcopilot.com"},
    {"COPILOT_", "", "https://api.githubcopilot.com"},
};

// Empty when it is not known.
inline std::string model_host(std::string_view variable, const Environment& environment) {
  for (const auto& [prefix, elsewhere, url] : model_hosts) {
    if (!variable.starts_with(prefix)) continue;
    const auto named = elsewhere.empty() ? std::nullopt : environment(elsewhere);
    return named && !named->empty() ? *named : std::string(url);
  }
  return "";
}

}  // namespace sa
