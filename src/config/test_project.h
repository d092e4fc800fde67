// For tests: a directory with config in it, and the store that is tried on it.
#pragma once

#include <boost/json.hpp>
#include <filesystem>

#include "base/scratch_folder.h"
#include "config/entry_store.h"
#include "config/mcp_entry.h"

namespace sa {

class Project {
 public:
  GuardedPath directory(std::string_view name = ".") const { return *root_.guard(name); }
  std::filesystem::path folder() const { return scratch_.at(".sandbox-agent/config"); }
  std::filesystem::path file() const { return folder() / "mcp.json"; }

  std::string text() const { return scratch_.read(".sandbox-agent/config/mcp.json"); }
  void write(std::string_view text, std::string_view name = "mcp.json") const {
    scratch_.write(".sandbox-agent/config/" + std::string(name), text);
  }
  mode_t mode() const { return scratch_.mode(".sandbox-agent/config/mcp.json"); }

  Result<std::string> get(std::string_view name) const { return store.get(directory(), name); }
  Result<void> put(std::string_view name, std::string_view entry) const {
    return store.put(directory(), name, boost::json::parse(entry), stop);
  }
  Result<void> remove(std::string_view name) const { return store.remove(directory(), name, stop); }

  EntryStore store{mcp_entries};
  StopFlag stop = false;

 private:
  ScratchFolder scratch_;
  FileRoot root_ = std::move(*FileRoot::open(scratch_.path(), Confined::yes));
};

inline constexpr std::string_view entry = R"({"type":"local","command":"x"})";
inline constexpr std::string_view other_entry = R"({"type":"remote","url":"u"})";

template <class T>
Error error_of(const Result<T>& result) {
  REQUIRE_FALSE(result.has_value());
  return result.error();
}

template <class T>
ErrorCode code_of(const Result<T>& result) {
  return error_of(result).code;
}

}  // namespace sa
