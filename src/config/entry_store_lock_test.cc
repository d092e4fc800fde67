#include "files/directory_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <thread>

#include "config/test_project.h"

namespace sa {

using namespace std::literals;

TEST_CASE("many writers at once lose nothing") {
  Project project;
  project.store = EntryStore(mcp_entries, {.limit = 60s});
  std::vector<std::thread> writers;
  writers.reserve(4);
  for (int writer = 0; writer < 4; ++writer)
    writers.emplace_back([&project, writer] {
      for (int i = 0; i < 25; ++i) {
        const std::string name = fmt::format("{}-{}", writer, i);
        CHECK(project.put(name, entry).has_value());
        CHECK(project.get(name) == std::string(entry));
        if (i % 5 == 0) CHECK(project.remove(name).has_value());
      }
    });
  for (std::thread& writer : writers) writer.join();
  CHECK(boost::json::parse(project.text()).as_object().size() == 80);
}

TEST_CASE("a lock held by another is waited for, but not forever; readers do not mind") {
  Project project;
  REQUIRE(project.put("a", entry));
  project.store = EntryStore(mcp_entries, {.limit = 50ms, .pause = 1ms});
  UniqueFd foreign(::open(project.folder().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  REQUIRE(::flock(foreign.get(), LOCK_EX) == 0);
  CHECK(code_of(project.put("b", entry)) == ErrorCode::overloaded);
  CHECK(code_of(project.remove("a")) == ErrorCode::overloaded);
  CHECK(project.get("a") == std::string(entry));
  foreign.reset();
  CHECK(project.put("b", entry).has_value());

  const EntryStore patient(mcp_entries);
  foreign.reset(::open(project.folder().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  REQUIRE(::flock(foreign.get(), LOCK_EX) == 0);
  std::thread releases([&] {
    std::this_thread::sleep_for(20ms);
    foreign.reset();
  });
  CHECK(patient.put(project.directory(), "c", boost::json::parse(entry), project.stop).has_value());
  releases.join();
}

TEST_CASE("a writer that waits for a lock gives up when the daemon stops") {
  Project project;
  REQUIRE(project.put("a", entry));
  const UniqueFd foreign(::open(project.folder().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  REQUIRE(::flock(foreign.get(), LOCK_EX) == 0);
  project.store = EntryStore(mcp_entries, {.limit = 1h, .pause = 1ms});
  project.stop = true;
  CHECK(code_of(project.put("b", entry)) == ErrorCode::overloaded);
}

}  // namespace sa
