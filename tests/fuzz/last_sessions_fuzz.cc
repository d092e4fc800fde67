// The first three lines are an agent, a folder and a session; the rest is the file of last sessions, in which @MANY stands for
// nearly as many as there may be. Held: the session that is found is the one a plain reading finds; one that is remembered is
// found again, first in a file for this user only; nothing else in it changes, and it holds no more than it may.
// Inputs: at most 512 bytes.
#include <sys/stat.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "base/utf8.h"
#include "cli/last_sessions.h"
#include "fuzz_input.h"
#include "scratch.h"

namespace sa::fuzz {
namespace {

namespace json = boost::json;

constexpr std::string_view file_name = "sandbox-agent/last-sessions.json";
constexpr std::size_t most_sessions = 200;

struct Session {
  std::string agent, cwd, id;
  bool is_of(const Session& other) const { return agent == other.agent && cwd == other.cwd; }
  bool operator==(const Session&) const = default;
};

// Nothing unless it is a list of objects with three texts each.
std::vector<Session> read_plainly(std::string_view text) {
  json::error_code error;
  const json::value list = json::parse(text, error, {}, json::parse_options{.max_depth = 256});
  std::vector<Session> sessions;
  if (error || !list.is_array()) return {};
  for (const json::value& each : list.get_array()) {
    const json::object* object = each.if_object();
    const auto text_of = [&](std::string_view name) {
      const json::value* member = object ? object->if_contains(name) : nullptr;
      return member ? member->if_string() : nullptr;
    };
    const json::string *agent = text_of("agent"), *cwd = text_of("cwd"), *id = text_of("sessionId");
    if (!agent || !cwd || !id) return {};
    sessions.push_back({std::string(*agent), std::string(*cwd), std::string(*id)});
  }
  return sessions;
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

const Scratch& home() {
  static const Scratch folder;
  static const bool made =
      ::setenv("XDG_DATA_HOME", folder.path().c_str(), 1) == 0 && ::mkdir(folder.at("sandbox-agent").c_str(), 0700) == 0;
  hold(made, "there is a home");
  return folder;
}

void check_remembered(const Session& wanted, std::vector<Session> before) {
  hold(last_session(wanted.agent, wanted.cwd) == wanted.id, "what is remembered is found");
  std::erase_if(before, [&](const Session& session) { return session.is_of(wanted); });
  before.insert(before.begin(), wanted);
  before.resize(std::min(before.size(), most_sessions));
  hold(read_plainly(content_of(home().at(file_name))) == before, "it comes first, and the others stay");
  struct stat seen{};
  hold(::stat(home().at(file_name).c_str(), &seen) == 0 && (seen.st_mode & 0777) == 0600, "for this user only");
}

std::string take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return std::string(line);
}

const std::string& many() {
  static const std::string all = [] {
    std::string sessions;
    for (std::size_t i = 0; i + 2 < most_sessions; ++i)
      sessions += R"({"agent":"m","cwd":")" + std::to_string(i) + R"(","sessionId":"s"},)";
    return sessions;
  }();
  return all;
}

void check(std::string_view input) {
  const Session wanted{take_line(input), take_line(input), take_line(input)};
  std::string text(input);
  if (const std::size_t at = text.find("@MANY"); at != text.npos) text.replace(at, 5, many());
  home().write(file_name, text);
  const std::vector<Session> before = read_plainly(text);
  const auto found = std::ranges::find_if(before, [&](const Session& session) { return session.is_of(wanted); });
  hold(last_session(wanted.agent, wanted.cwd) == (found == before.end() ? "" : found->id), "the newest of its kind is found");

  const bool is_text = is_utf8(wanted.agent) && is_utf8(wanted.cwd) && is_utf8(wanted.id);
  hold(remember_session(wanted.agent, wanted.cwd, wanted.id).has_value(), "there is room for one more");
  if (is_text) check_remembered(wanted, before);
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
