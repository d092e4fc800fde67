// The input is the name of an archive's entry. Held: what is taken lies below the target, says the standard library's view of
// paths, and is clean: cleaning it again changes nothing, and its parts are the whole. What is refused had a reason.
#include <algorithm>
#include <filesystem>
#include <string>

#include "base/utf8.h"
#include "files/tar_name.h"
#include "fuzz_input.h"

namespace sa::fuzz {
namespace {

namespace fs = std::filesystem;

bool leads_up(const fs::path& path) { return std::ranges::find(path, "..") != path.end(); }

void check_taken(std::string_view name, const std::string& clean) {
  const fs::path target = "/some/target", joined = (target / clean).lexically_normal();
  const auto [at, end] = std::ranges::mismatch(joined, target);
  hold(end == target.end(), "a taken name stays below the target");
  hold(joined == (target / name / "").lexically_normal().parent_path() || clean.empty(), "cleaning keeps the meaning");
  hold(!clean.starts_with('/') && !clean.ends_with('/') && !clean.contains("//"), "no component is empty");
  hold(!clean.contains('\0') && !leads_up(clean), "nothing leads up, nothing ends early");
  hold(std::ranges::all_of(fs::path(clean), [](const fs::path& part) { return part != "." && part.native().size() <= 255; }),
       "components are names");
  if (clean.empty()) return;
  hold(clean_tar_name(clean) == clean, "a clean name is clean");
  const auto [directory, last] = split_tar_name(clean);
  hold(!last.empty() && !last.contains('/'), "the last component is one");
  hold((directory.empty() ? std::string(last) : std::string(directory) + "/" + std::string(last)) == clean,
       "the parts are the whole");
}

bool has_reason(std::string_view name) {
  const fs::path path(name);
  return name.empty() || name.starts_with('/') || name.contains('\0') || leads_up(path) || name.size() >= 4'096 ||
         std::ranges::any_of(path, [](const fs::path& part) { return part.native().size() > 255; });
}

void check(std::string_view name) {
  const auto clean = clean_tar_name(name);
  if (clean) return check_taken(name, *clean);
  hold(has_reason(name), "only what cannot be written is refused");
  hold(clean.error().code == ErrorCode::invalid_request && is_utf8(clean.error().detail), "a refusal is well-formed");
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
