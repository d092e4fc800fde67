#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config_project.h"

using namespace rig;

namespace {

const std::string local = R"({"type":"local","command":"npx server"})";
const std::string remote = R"({"type":"remote","url":"https://mcp.example/"})";
const std::string skill_set = R"({"sources":[{"type":"github","source":"a/b"}]})";

unsigned mode_of(const std::filesystem::path& path) {
  struct stat info{};
  stat(path.c_str(), &info);
  return info.st_mode & 07777U;
}

// The lock of a directory, as another program would hold it.
class HeldLock {
 public:
  explicit HeldLock(const std::filesystem::path& directory) : fd_(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (flock(fd_, LOCK_EX) != 0) throw std::runtime_error("cannot lock " + directory.string());
  }
  ~HeldLock() { release(); }
  HeldLock(const HeldLock&) = delete;
  HeldLock& operator=(const HeldLock&) = delete;
  void release() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

// Entries n0, n1, … by these in turn. Who is told that the file is taken, which a slow disk makes likely, comes again.
void put_at_once(const std::vector<const ConfigProject*>& projects, int count) {
  const auto name = [](int entry) { return "n" + std::to_string(entry); };
  const auto project = [&](int entry) -> const ConfigProject& {
    return *projects[static_cast<std::size_t>(entry) % projects.size()];
  };
  std::vector<Connection> puts;
  for (int i = 0; i < count; ++i) puts.push_back(project(i).begin_put(project(i).mcp(name(i)), local));
  for (int i = 0; i < count; ++i) {
    int status = puts[static_cast<std::size_t>(i)].read_response().status;
    for (int more = 0; status == 503 && more < 3; ++more) status = project(i).put(project(i).mcp(name(i)), local).status;
    CHECK_EQ(status, 204);
  }
}

}  // namespace

TEST_SUITE_BEGIN("config");

TEST_CASE("an entry is put with 204, got with 200, deleted with 204, and then is 404") {
  Daemon daemon;
  TempDir folder;
  ConfigProject project(daemon, folder.path());
  for (const auto& [target, entry] : {std::pair(project.mcp("a"), local), std::pair(project.skills("a"), skill_set)}) {
    CHECK_EQ(problem_of(project.get(target)), "404 not_found");
    const auto put = project.put(target, entry);
    CHECK_EQ(put.status, 204);
    CHECK_EQ(put.body, "");
    const auto got = project.get(target);
    CHECK_EQ(got.status, 200);
    CHECK_EQ(got.header("content-type"), "application/json");
    CHECK_EQ(got.body, entry);
    CHECK_EQ(project.remove(target).status, 204);
    CHECK_EQ(project.remove(target).status, 204);
    CHECK_EQ(problem_of(project.get(target)), "404 not_found");
  }
}

TEST_CASE("what is missing is named") {
  Daemon daemon;
  TempDir folder;
  ConfigProject project(daemon, folder.path() / "never/made");
  const auto mcp = project.get(project.mcp("some \"name\"")).body;
  CHECK_EQ(text_at(mcp, "resource"), "mcp server");
  CHECK_EQ(text_at(mcp, "id"), "some \"name\"");
  CHECK_EQ(text_at(project.get(project.skills("x")).body, "resource"), "skill");
  CHECK_EQ(project.remove(project.mcp("x")).status, 204);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "never"));
}

TEST_CASE("a put replaces its entry and leaves the others alone") {
  Daemon daemon;
  TempDir folder;
  ConfigProject project(daemon, folder.path());
  REQUIRE_EQ(project.put(project.mcp("a"), local).status, 204);
  REQUIRE_EQ(project.put(project.mcp("b"), local).status, 204);
  REQUIRE_EQ(project.put(project.mcp("a"), remote).status, 204);
  CHECK_EQ(project.get(project.mcp("a")).body, remote);
  CHECK_EQ(project.get(project.mcp("b")).body, local);
}

TEST_CASE("entries are kept in one pretty-printed file per kind that only its owner may read") {
  Daemon daemon;
  TempDir folder;
  ConfigProject project(daemon, folder.path());
  REQUIRE_EQ(project.put(project.mcp("b"), local).status, 204);
  REQUIRE_EQ(project.put(project.mcp("a"), remote).status, 204);
  REQUIRE_EQ(project.put(project.skills("s"), R"({"sources":[]})").status, 204);
  CHECK_EQ(read_file(config_file(folder.path())),
           "{\n  \"b\": {\n    \"type\": \"local\",\n    \"command\": \"npx server\"\n  },\n"
           "  \"a\": {\n    \"type\": \"remote\",\n    \"url\": \"https://mcp.example/\"\n  }\n}\n");
  CHECK_EQ(read_file(config_file(folder.path(), "skills.json")), "{\n  \"s\": {\n    \"sources\": []\n  }\n}\n");
  CHECK_EQ(mode_of(config_file(folder.path())), 0600U);
  CHECK_EQ(std::distance(std::filesystem::directory_iterator(config_file(folder.path()).parent_path()), {}), 2);
}

TEST_CASE("an existing file keeps its mode and what others wrote into it") {
  Daemon daemon;
  TempDir folder;
  ConfigProject project(daemon, folder.path());
  const std::string by_hand = R"({"z":{"type":"local","command":"x","note":[1.5,{}]},"a":{}})";
  write_config(folder.path(), by_hand);
  chmod(config_file(folder.path()).c_str(), 0644);
  REQUIRE_EQ(project.put(project.mcp("new"), local).status, 204);
  REQUIRE_EQ(project.remove(project.mcp("new")).status, 204);
  CHECK_EQ(parse_json(read_file(config_file(folder.path()))), parse_json(by_hand));
  CHECK_EQ(mode_of(config_file(folder.path())), 0644U);
}

TEST_CASE("a relative directory counts from where the daemon was started") {
  Daemon daemon(DaemonSetup{.prepare = [](const auto& home) { std::filesystem::create_directory(home / "elsewhere"); }});
  for (const char* directory : {"project", "./elsewhere", "elsewhere/../other"})
    CHECK_EQ(ConfigProject(daemon, directory).put(ConfigProject(daemon, directory).mcp("x"), local).status, 204);
  for (const char* directory : {"project", "elsewhere", "other"})
    CHECK(std::filesystem::exists(config_file(daemon.home() / directory)));
}

TEST_CASE("with a file root, directories outside of it are forbidden") {
  TempDir root;
  TempDir outside;
  Daemon daemon({"--fs-root", root.path().string()});
  ConfigProject inside(daemon, root.path() / "p");
  CHECK_EQ(inside.put(inside.mcp("x"), local).status, 204);
  std::filesystem::create_directory_symlink(outside.path(), root.path() / "link");
  for (const auto& directory :
       {outside.path().string(), (root.path() / "..").string(), (root.path() / "link").string(), std::string("p")}) {
    ConfigProject project(daemon, directory);
    CHECK_EQ(problem_of(project.put(project.mcp("x"), local)), "403 forbidden");
    CHECK_EQ(problem_of(project.get(project.mcp("x"))), "403 forbidden");
    CHECK_EQ(problem_of(project.remove(project.mcp("x"))), "403 forbidden");
  }
  CHECK(std::filesystem::is_empty(outside.path()));
}

TEST_CASE("a corrupt file is a 409 with its path for every verb, and stays as it is") {
  Daemon daemon;
  TempDir folder;
  ConfigProject project(daemon, folder.path());
  for (const std::string text : {"", "{", "[]", "null", R"({"a":3})", R"({"other":"x"})", "{}x"}) {
    write_config(folder.path(), text);
    for (const auto& response :
         {project.get(project.mcp("a")), project.put(project.mcp("a"), local), project.remove(project.mcp("a"))}) {
      CHECK_EQ(problem_of(response), "409 config_corrupt");
      CHECK_EQ(text_at(response.body, "path"), config_file(folder.path()).string());
    }
    CHECK_EQ(read_file(config_file(folder.path())), text);
  }
  CHECK_EQ(project.put(project.skills("a"), skill_set).status, 204);
}

TEST_CASE("fifty puts at once lose none") {
  Daemon daemon;
  TempDir folder;
  const ConfigProject project(daemon, folder.path());
  put_at_once({&project}, 50);
  CHECK_EQ(parse_json(read_file(config_file(folder.path()))).as_object().size(), 50);
}

TEST_CASE("two daemons that write the same file at once lose nothing") {
  Daemon one;
  Daemon other;
  TempDir folder;
  const ConfigProject projects[] = {{one, folder.path()}, {other, folder.path()}};
  put_at_once({&projects[0], &projects[1]}, 60);
  CHECK_EQ(parse_json(read_file(config_file(folder.path()))).as_object().size(), 60);
  CHECK_EQ(projects[0].get(projects[0].mcp("n59")).body, local);
}

TEST_CASE("a writer waits while another program holds the lock, and readers do not") {
  Daemon daemon;
  TempDir folder;
  ConfigProject project(daemon, folder.path());
  REQUIRE_EQ(project.put(project.mcp("a"), local).status, 204);
  HeldLock lock(config_file(folder.path()).parent_path());
  auto put = project.begin_put(project.mcp("b"), local);
  CHECK_EQ(project.get(project.mcp("a")).body, local);
  CHECK_EQ(problem_of(project.get(project.mcp("b"))), "404 not_found");
  lock.release();
  CHECK_EQ(put.read_response().status, 204);
}

TEST_CASE("a writer that waits for a lock does not delay the daemon's end") {
  Daemon daemon;
  TempDir folder;
  ConfigProject project(daemon, folder.path());
  REQUIRE_EQ(project.put(project.mcp("a"), local).status, 204);
  const HeldLock lock(config_file(folder.path()).parent_path());
  auto put = project.begin_put(project.mcp("b"), local);
  REQUIRE_EQ(project.get(project.mcp("a")).status, 200);
  daemon.stop(SIGTERM);
  CHECK_EQ(parse_json(read_file(config_file(folder.path()))).as_object().size(), 1);
}

TEST_SUITE_END();
