// What an agent was given: environment, working directory, signals, limits, descriptors, its place in the process tree.
#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "behaviours.h"

extern char** environ;

namespace fake {
namespace {

std::string blocked_at_start;
std::string ignored_at_start;

std::string file_text(const char* path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string status_line(const std::string& status, std::string_view name) {
  const auto at = status.find(std::string(name) + ":\t");
  if (at == std::string::npos) return "";
  const auto start = at + name.size() + 2;
  return status.substr(start, status.find('\n', start) - start);
}

std::string environment_json() {
  std::string out = "{";
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view pair(*entry);
    const auto equals = pair.find('=');
    if (equals == std::string_view::npos) continue;
    if (out.size() > 1) out += ',';
    out += quoted(pair.substr(0, equals)) + ":" + quoted(pair.substr(equals + 1));
  }
  return out + "}";
}

std::string descriptors_json() {
  std::string out = "[";
  DIR* directory = opendir("/proc/self/fd");
  while (const dirent* entry = readdir(directory)) {
    const int fd = std::atoi(entry->d_name);
    if (entry->d_name[0] == '.' || fd == dirfd(directory)) continue;
    if (out.size() > 1) out += ',';
    out += std::to_string(fd);
  }
  closedir(directory);
  return out + "]";
}

std::string arguments_json(const std::vector<std::string>& arguments) {
  std::string out = "[";
  for (const auto& argument : arguments) out += (out.size() > 1 ? "," : "") + quoted(argument);
  return out + "]";
}

// Answers with everything above.
void surroundings(Agent& agent, const Envelope& envelope) {
  char directory[4096] = "";
  if (getcwd(directory, sizeof directory) == nullptr) directory[0] = '\0';
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  std::ostringstream out;
  out << R"({"env":)" << environment_json() << R"(,"cwd":)" << quoted(directory) << R"(,"argv":)"
      << arguments_json(agent.arguments()) << R"(,"blocked":")" << blocked_at_start << R"(","ignored":")" << ignored_at_start
      << R"(","nofileSoft":)" << files.rlim_cur << R"(,"nofileHard":)" << files.rlim_max << R"(,"pid":)" << getpid()
      << R"(,"ppid":)" << getppid() << R"(,"sid":)" << getsid(0) << R"(,"pgid":)" << getpgid(0) << R"(,"fds":)"
      << descriptors_json() << R"(,"oomScoreAdj":)" << std::atoi(file_text("/proc/self/oom_score_adj").c_str()) << "}";
  agent.answer(envelope.id, out.str());
}

constexpr BehaviourRow rows[] = {{"surroundings", surroundings}};

}  // namespace

void remember_surroundings() {
  const auto status = file_text("/proc/self/status");
  blocked_at_start = status_line(status, "SigBlk");
  ignored_at_start = status_line(status, "SigIgn");
}

std::span<const BehaviourRow> surroundings_behaviours() { return rows; }

}  // namespace fake
