#include "config/skills_entry.h"

#include "base/shape_read.h"

namespace sa {
namespace {

Result<std::string> canonical_skills_entry(const boost::json::value& entry) {
  TRY(const SkillsEntry read, from_json<SkillsEntry>(entry));
  return to_json(read);
}

}  // namespace

const EntryKind skills_entries{"skills.json", "skill", canonical_skills_entry};

}  // namespace sa
