// A directory with config, and the routes of one daemon for it. The daemon must outlive it.
#pragma once

#include <string>

#include "support/acp.h"

namespace rig {

inline const Headers as_json = {{"Content-Type", "application/json"}};

class ConfigProject {
 public:
  // `directory`: as requests name it.
  ConfigProject(const Daemon& daemon, std::string directory) : api_(daemon), directory_(std::move(directory)) {}

  std::string mcp(std::string_view name) const { return target("mcp", "mcpName", name); }
  std::string skills(std::string_view name) const { return target("skills", "skillName", name); }

  Response get(const std::string& target) const { return api_.get(target); }
  Response put(const std::string& target, std::string_view body) const { return api_.request("PUT", target, as_json, body); }
  Response remove(const std::string& target) const { return api_.request("DELETE", target); }
  Connection begin_put(const std::string& target, std::string_view body) const {
    return api_.begin("PUT", target, as_json, body);
  }
  const Api& api() const { return api_; }

 private:
  std::string target(std::string_view kind, std::string_view parameter, std::string_view name) const {
    return "/v1/config/" + std::string(kind) + "?directory=" + percent_encoded(directory_) + "&" + std::string(parameter) +
           "=" + percent_encoded(name);
  }

  Api api_;
  std::string directory_;
};

inline std::filesystem::path config_file(const std::filesystem::path& directory, std::string_view name = "mcp.json") {
  return directory / ".sandbox-agent/config" / name;
}

inline void write_config(const std::filesystem::path& directory, std::string_view text, std::string_view name = "mcp.json") {
  std::filesystem::create_directories(config_file(directory).parent_path());
  write_file(config_file(directory, name), text);
}

}  // namespace rig
