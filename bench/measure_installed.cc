// What an agent that is installed costs beyond the program itself: its start, and asking to install it again.
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "http_client.h"
#include "measures.h"
#include "process.h"
#include "requests.h"
#include "statistics.h"

namespace bench {
namespace {

constexpr int starts = 60;

void write_file(const std::string& path, const std::string& content) {
  std::ofstream(path) << content;
  ::chmod(path.c_str(), 0755);
}

// As the installer leaves it: a link to a script in the install's own tree, and its record.
std::string make_install(const Setup& setup) {
  std::string folder = setup.scratch.make_folder();
  for (const char* below : {"/sandbox-agent", "/sandbox-agent/bin", "/sandbox-agent/bin/agent_processes",
                            "/sandbox-agent/bin/agent_processes/kept.d", "/sandbox-agent/bin/agent_processes/kept.d/1"})
    ::mkdir((folder + below).c_str(), 0755);
  const std::string processes = folder + "/sandbox-agent/bin/agent_processes";
  const std::string launcher = processes + "/kept-acp";
  write_file(processes + "/kept.d/1/launch",
             "#!/bin/sh\nPATH='" + folder + "':\"$PATH\"\nexport PATH\nexec '" + setup.programs.echo_agent + "' \"$@\"\n");
  write_file(processes + "/kept.d/1/install.json",
             R"({"agent":"kept","registry":"listed","artifacts":[{"kind":"agent_process","path":")" + launcher +
                 R"(","source":"registry","version":"1"}],"launch":{"program":"x","args":[],"env":{},"path":[]},)"
                 R"("verified":true,"verifiedAtMs":1,"installedAtMs":1})");
  (void)::symlink("kept.d/1/launch", launcher.c_str());
  return folder;
}

double milliseconds(HttpClient& client, const std::string& request) {
  const std::int64_t begin = now_ns();
  client.exchange(request);
  return static_cast<double>(now_ns() - begin) / 1e6;
}

}  // namespace

void measure_installed(const Setup& setup, Report& report) {
  const Server daemon({"/usr/bin/env", "XDG_DATA_HOME=" + make_install(setup), setup.programs.daemon, "server", "--port", "0",
                       "--json", "--no-token", "--log-level", "off", "--agent", "plain=" + setup.programs.echo_agent});
  const int port = daemon.port();
  HttpClient client(port);
  std::vector<double> plain, kept, again;
  for (int at = 0; at < starts; ++at) {
    const std::string id = "/v1/acp/start-" + std::to_string(at);
    plain.push_back(milliseconds(client, post(port, id + "-p?agent=plain", prompt(first_id))));
    kept.push_back(milliseconds(client, post(port, id + "-k?agent=kept", prompt(first_id))));
    again.push_back(milliseconds(client, post(port, "/v1/agents/kept/install", "{}")));
  }
  report.state({"first answer of an agent that is installed (floor: its program by --agent): time", "ms"}, median(kept),
               median(plain));
  report.state({"the same: what the install adds", "ms", 5}, median(kept) - median(plain));
  report.state({"an install that is there already: time", "ms", 50}, median(again));
}

}  // namespace bench
