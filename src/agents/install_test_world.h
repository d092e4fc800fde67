// For tests: a loop with processes and threads, a data folder, and a PATH with programs of the test's own; and archives with an
// agent in them, served on loopback.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>
#include <optional>

#include "agents/install_context.h"
#include "agents/install_tree.h"
#include "base/log.h"
#include "base/scratch_folder.h"
#include "files/tar_test_archive.h"
#include "io/fetch_test_server.h"
#include "io/process_world.h"

namespace sa {

struct InstallWorld : ProcessWorld {
  InstallWorld() { log::set_level(log::Level::off); }
  ~InstallWorld() {
    free_threads();
    log::set_level(log::Level::info);
  }

  ScratchFolder data, tools, notes, temporary;
  StopFlag stop{false};
  static constexpr std::size_t threads = 4;
  WorkerPool pool{loop, threads};
  Store store{data.path()};
  InstallLimits limits;
  std::string registry_url = "/no/such/registry.json";
  std::optional<Registry> registry;  // of the last context()

  // PATH has the test's own programs alone: those of the system that scripts need are called by their paths.
  std::vector<std::string> environment() const {
    return {"PATH=" + tools.path(), "TMPDIR=" + temporary.path(), "NOTES=" + notes.path()};
  }
  InstallContext context() {
    registry.emplace(RegistrySettings{.url = registry_url, .copy_file = store.registry_copy()});
    return {loop, processes, pool, pool, store, *registry, environment(), limits, &stop};
  }
  void tool(const std::string& name, const std::string& script) const { tools.write(name, "#!/bin/sh\n" + script, 0755); }
  InstallTree tree(const std::string& agent = "a") const {
    REQUIRE(make_directories(store.folder(agent)).has_value());
    return InstallTree::begin(store, agent, "1.0", stop).value();
  }

  // Does something when a task that is run next waits for a thread of the pool already: what it does before that has been done.
  // Once.
  void when_waiting_for_a_thread(std::function<void()> act) {
    for (std::size_t i = 0; i < threads; ++i) spawn(keep_thread());
    loop.post([this, act = std::move(act)] {
      act();
      free_threads();
    });
  }
  // Does something as soon as a note is there.
  void when_noted(const std::string& name, std::function<void()> act) {
    if (notes.has(name)) return act();
    look_.arm_in(Millis(5), [this, name, act] { when_noted(name, act); });
  }

 private:
  Task<> keep_thread() {
    co_await pool.run([this] { return free_.wait(false), true; });
  }
  void free_threads() {
    free_ = true;
    free_.notify_all();
  }

  std::atomic<bool> free_ = false;
  Timer look_{loop};
};

// An agent of a few lines of shell that answers ACP's initialize.
inline const std::string speaking_agent =
    "#!/bin/sh\nread -r line\necho '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":1}}'\nread -r line\n";

inline std::string answer_200(std::string_view body) {
  return fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.size()).append(body);
}

inline FetchTestServer::Handler answering(std::string bytes) {
  return [bytes = std::move(bytes)](TestPeer& peer, const std::string&) { peer.write(bytes); };
}

}  // namespace sa
