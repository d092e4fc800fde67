// For tests: a loop with processes and threads, a data folder, and a PATH with programs of the test's own; and archives with an
// agent in them, served on loopback.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <signal.h>

#include <optional>

#include "agents/install_context.h"
#include "agents/install_tree.h"
#include "base/log.h"
#include "base/scratch_folder.h"
#include "files/tar_test_archive.h"
#include "io/fetch_test_server.h"

namespace sa {

class InstallWorld {
 public:
  InstallWorld() {
    ::signal(SIGPIPE, SIG_IGN);
    log::set_level(log::Level::off);
  }
  ~InstallWorld() { log::set_level(log::Level::info); }
  InstallWorld(const InstallWorld&) = delete;

  ScratchFolder data, tools, notes, temporary;
  StopFlag stop{false};
  Loop loop;
  Processes processes{loop, Millis(50)};
  WorkerPool pool{loop};
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

  // Runs a task to its end, with all processes it started.
  template <class T>
  T run(Task<T> task) {
    std::optional<T> outcome;
    Timer patience(loop);
    patience.arm_in(std::chrono::seconds(30), [this] {
      FAIL_CHECK("the test did not end");
      processes.kill_all();
      stop = true;
      loop.stop();
    });
    spawn(run_and_stop(std::move(task), outcome));
    loop.run();
    CHECK(processes.alive() == 0);
    REQUIRE(outcome.has_value());
    return std::move(*outcome);
  }
  // Does something as soon as a note is there.
  void when_noted(const std::string& name, std::function<void()> act) {
    if (notes.has(name)) return act();
    look_.arm_in(Millis(5), [this, name, act] { when_noted(name, act); });
  }

 private:
  template <class T>
  Task<> run_and_stop(Task<T> task, std::optional<T>& outcome) {
    outcome.emplace(co_await std::move(task));
    while (processes.alive() > 0) co_await Yield{loop};  // reaped a moment after the last word
    loop.stop();
  }

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
