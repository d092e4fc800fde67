// A folder in memory for one fuzzer, made once and removed at the end; files in it are replaced by each input.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/unique_fd.h"
#include "fuzz_input.h"

namespace sa::fuzz {

class Scratch {
 public:
  Scratch() : path_(::access("/dev/shm", W_OK) == 0 ? "/dev/shm/sandbox_agent_fuzz_XXXXXX" : "/tmp/sandbox_agent_fuzz_XXXXXX") {
    hold(::mkdtemp(path_.data()) != nullptr, "there is a place for files");
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::string& path() const { return path_; }
  std::string at(std::string_view name) const { return path_ + "/" + std::string(name); }
  bool has(std::string_view name) const { return ::access(at(name).c_str(), F_OK) == 0; }
  void write(std::string_view name, std::string_view bytes) const {
    const UniqueFd file(::open(at(name).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    hold(::write(file.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "the input is written");
  }

 private:
  std::string path_;
};

}  // namespace sa::fuzz
