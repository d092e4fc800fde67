// For tests: a directory with config in it, and the store that is tried on it.
#pragma once

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "config/entry_store.h"
#include "config/mcp_entry.h"

namespace sa {

class Project {
 public:
  Project() {
    char path[] = "/tmp/config_test.XXXXXX";
    REQUIRE(::mkdtemp(path) != nullptr);
    path_ = path;
    root_.emplace(std::move(*FileRoot::open(path_.string(), Confined::yes)));
  }
  ~Project() { std::filesystem::remove_all(path_); }
  Project(const Project&) = delete;

  GuardedPath directory(std::string_view name = ".") const { return *root_->guard(name); }
  std::filesystem::path folder() const { return path_ / ".sandbox-agent/config"; }
  std::filesystem::path file() const { return folder() / "mcp.json"; }

  std::string text() const {
    std::ostringstream all;
    all << std::ifstream(file()).rdbuf();
    return all.str();
  }
  void write(std::string_view text, const char* name = "mcp.json") const {
    std::filesystem::create_directories(folder());
    std::ofstream(folder() / name) << text;
  }
  mode_t mode() const {
    struct stat info{};
    REQUIRE(::stat(file().c_str(), &info) == 0);
    return info.st_mode & 07777U;
  }

  Result<std::string> get(std::string_view name) const { return store.get(directory(), name); }
  Result<void> put(std::string_view name, std::string_view entry) const {
    return store.put(directory(), name, boost::json::parse(entry), stop);
  }
  Result<void> remove(std::string_view name) const { return store.remove(directory(), name, stop); }

  EntryStore store{mcp_entries};
  StopFlag stop = false;

 private:
  std::filesystem::path path_;
  std::optional<FileRoot> root_;
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
