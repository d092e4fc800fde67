// A set of skills as it is configured: where they come from. Values; pure functions.
#pragma once

#include "base/shape.h"
#include "config/entry_kind.h"

namespace sa {

struct SkillSource {
  std::string type;
  std::string source;
  std::optional<std::vector<std::string>> skills;
  std::optional<std::string> ref;
  std::optional<std::string> subpath;
};

template <>
struct Shape<SkillSource> {
  using S = SkillSource;
  static constexpr std::string_view name = "SkillSource";
  static constexpr std::string_view help = "One place skills come from.";
  static constexpr std::tuple fields{
      Field{"type", &S::type, "What kind of place it is, such as 'github', 'git' or 'local'."},
      Field{"source", &S::source, "The place: a repository, an address or a path."},
      Field{"skills", &S::skills, "Which of its skills; without it all of them."},
      Field{"ref", &S::ref, "The branch, tag or commit."},
      Field{"subpath", &S::subpath, "Where in it the skills are."},
  };
};

struct SkillsEntry {
  std::vector<SkillSource> sources;
};

template <>
struct Shape<SkillsEntry> {
  static constexpr std::string_view name = "SkillsConfig";
  static constexpr std::string_view help = "A set of skills.";
  static constexpr std::tuple fields{Field{"sources", &SkillsEntry::sources, "Where they come from; may be empty."}};
};

extern const EntryKind skills_entries;

}  // namespace sa
