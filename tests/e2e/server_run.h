// A server started by a shell, as an entrypoint script would: the script sets the scene and then becomes the daemon. Main
// thread only. The destructor kills whatever carries its marker.
#pragma once

#include <string>
#include <vector>

#include "support/acp.h"
#include "support/daemon.h"
#include "support/process.h"
#include "support/survivors.h"

namespace rig {

struct ServerRun {
  std::filesystem::path folder;  // its home; somebody else's, so that two servers can share one
  std::string mark = fresh_mark();
  Process process;
  std::uint16_t port = 0;

  // `script` ends with `exec "$@"`, which is the daemon with a free port, --json and the flags.
  ServerRun(std::filesystem::path home, const std::string& script, const std::vector<std::string>& flags)
      : folder(std::move(home)), process(launch(script, flags)) {
    if (!eventually([&] { return out().ends_with('\n'); })) throw std::runtime_error("the server did not get ready: " + err());
    const auto url = text_at(out(), "url");
    port = static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
  }
  ~ServerRun() { kill_marked(mark); }
  ServerRun(const ServerRun&) = delete;
  ServerRun& operator=(const ServerRun&) = delete;

  std::string out() const { return read_file(folder / (mark + ".out")); }
  std::string err() const { return read_file(folder / (mark + ".err")); }

  Response request(std::string_view method, std::string_view target, std::string_view body = {}) const {
    Headers headers = {{"Authorization", "Bearer " + text_at(out(), "token")}};
    if (!body.empty()) headers.emplace_back("Content-Type", "application/json");
    Connection connection(port);
    connection.send(http_request(method, target, headers, body));
    return connection.read_response();
  }
  // The first instance of GET /v1/acp.
  boost::json::value first_server() const { return parse_json(request("GET", "/v1/acp").body).at("servers").at(0); }

 private:
  Launch launch(const std::string& script, const std::vector<std::string>& flags) const {
    Launch l;
    l.argv = {"/bin/sh", "-c", script, "sh", binary_under_test(), "server", "--port", "0", "--json"};
    l.argv.insert(l.argv.end(), {"--agent", "fake=" + fake_agent_command() + " zoo"});
    l.argv.insert(l.argv.end(), flags.begin(), flags.end());
    l.env = clean_environment(folder, mark);
    l.cwd = folder;
    l.stdout_file = folder / (mark + ".out");
    l.stderr_file = folder / (mark + ".err");
    return l;
  }
};

}  // namespace rig
