#include "cli/last_sessions.h"

#include <fcntl.h>

#include <algorithm>
#include <vector>

#include "base/shape.h"
#include "base/shape_read.h"
#include "daemon/places.h"
#include "daemon/private_file.h"
#include "files/directory_lock.h"
#include "files/read_up_to.h"

namespace sa {

struct LastSession {
  std::string agent;
  std::string cwd;
  std::string session_id;
};

template <>
struct Shape<LastSession> {
  using D = LastSession;
  static constexpr std::string_view name = "LastSession";
  static constexpr std::string_view help = "The last ACP session of an agent in a folder.";
  static constexpr std::tuple fields{
      Field{"agent", &D::agent, "The agent."},
      Field{"cwd", &D::cwd, "The folder."},
      Field{"sessionId", &D::session_id, "The session."},
  };
};

namespace {

constexpr std::size_t most_sessions = 200;
constexpr std::size_t longest_record = 1 << 20;

std::string file_name() { return data_directory() + "/last-sessions.json"; }

// The newest first.
std::vector<LastSession> read_all() {
  const auto text = read_file(file_name(), longest_record);
  if (!text) return {};
  const auto document = parse_json(*text);
  auto sessions = document ? from_json<std::vector<LastSession>>(*document) : fail(document.error());
  return sessions ? std::move(*sessions) : std::vector<LastSession>();
}

// Held until it is destroyed: what others remember meanwhile must not be lost.
Result<DirectoryLock> lock_data() {
  const std::string folder = data_directory();
  TRY_VOID(make_private_folder(folder));
  const UniqueFd directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory) return fail(ErrorCode::internal, errno_text(errno));
  const StopFlag never = false;
  return DirectoryLock::take(directory.get(), folder, {}, never);
}

bool is_of(const LastSession& session, const std::string& agent, const std::string& cwd) {
  return session.agent == agent && session.cwd == cwd;
}

}  // namespace

std::string last_session(const std::string& agent, const std::string& cwd) {
  for (const LastSession& session : read_all())
    if (is_of(session, agent, cwd)) return session.session_id;
  return "";
}

Result<void> remember_session(const std::string& agent, const std::string& cwd, const std::string& session_id) {
  TRY(const DirectoryLock lock, lock_data());
  std::vector<LastSession> sessions = read_all();
  std::erase_if(sessions, [&](const LastSession& session) { return is_of(session, agent, cwd); });
  sessions.insert(sessions.begin(), {agent, cwd, session_id});
  if (sessions.size() > most_sessions) sessions.resize(most_sessions);
  return write_private_file(file_name(), to_json(sessions) + "\n");
}

}  // namespace sa
