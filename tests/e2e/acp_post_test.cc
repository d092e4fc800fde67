#include <doctest/doctest.h>

#include "support/acp.h"
#include "support/survivors.h"

using namespace rig;

TEST_SUITE_BEGIN("acp");

TEST_CASE("the content type must be application/json, parameters allowed") {
  Daemon daemon;
  Acp acp(daemon, "x");
  for (const char* type : {"application/json", "application/json; charset=utf-8", "APPLICATION/JSON;x=y"}) {
    CHECK_EQ(acp.post(rpc_request("1", "echo"), {{"Content-Type", type}}).status, 200);
  }
  for (const char* type : {"text/plain", "application/jsonx", "application/x-www-form-urlencoded", "json"}) {
    CHECK_EQ(problem_of(acp.post(rpc_request("1", "echo"), {{"Content-Type", type}})), "415 unsupported_media_type");
  }
  const auto none = acp.request("POST", acp.target("agent=fake"), {}, rpc_request("1", "echo"));
  CHECK_EQ(problem_of(none), "415 unsupported_media_type");
}

TEST_CASE("Accept, if present, must allow JSON") {
  Daemon daemon;
  Acp acp(daemon, "x");
  for (const char* accept : {"application/json", "*/*", "application/*", "text/html, application/json;q=0.1"}) {
    INFO(accept);
    CHECK_EQ(acp.post(rpc_request("1", "echo"), {{"Accept", accept}}).status, 200);
  }
  for (const char* accept : {"text/html", "text/event-stream", "application/json;q=0"}) {
    INFO(accept);
    CHECK_EQ(problem_of(acp.post(rpc_request("1", "echo"), {{"Accept", accept}})), "406 not_acceptable");
  }
}

TEST_CASE("the body must be one JSON object with method, result or error at its top level") {
  Daemon daemon;
  Acp acp(daemon, "x");
  const std::string bodies[] = {
      "",
      " ",
      "{",
      "}",
      "[]",
      R"([{"method":"x"}])",
      "1",
      "\"method\"",
      "null",
      "{}",
      R"({"id":1})",
      R"({"params":{"method":"x"}})",
      R"({"method":"x"} {})",
      R"({"method":"x"},)",
      R"({"method":"x",})",
      R"({method:"x"})",
      R"({'method':'x'})",
      R"({"method":"x","a":01})",
      R"({"method":"x","a":NaN})",
      R"({"method":"x","a":"\x"})",
      "{\"method\":\"x\",\"a\":\"\xc3\x28\"}",
      "{\"method\":\"x\",\"a\":\"\xed\xa0\x80\"}",
      "{\"method\":\"x\",\"a\":\"\xff\"}",
      "{\"method\":\"x\",\"a\":\"\n\"}",
      "{\"method\":\"x\",\"a\":\"\x01\"}",
      "\xef\xbb\xbf{\"method\":\"x\"}",
  };
  for (const auto& body : bodies) {
    INFO(body);
    CHECK_EQ(problem_of(acp.post(body)), "400 invalid_request");
  }
  CHECK(acp.servers().empty());
}

TEST_CASE("an unknown agent is a 400 problem with suggestions") {
  Daemon daemon;
  const auto response = Acp(daemon, "x", "fak").call("echo");
  CHECK_EQ(problem_of(response), "400 unsupported_agent");
  CHECK_EQ(text_at(response.body, "agent"), "fak");
  CHECK(at_path(parse_json(response.body), "suggestions").is_array());
}

TEST_CASE("a new id needs an agent, an existing one does not") {
  Daemon daemon;
  Acp nameless(daemon, "x", "");
  CHECK_EQ(problem_of(nameless.call("echo")), "400 invalid_request");
  CHECK_EQ(Acp(daemon, "x").call("echo").status, 200);
  CHECK_EQ(nameless.call("echo").status, 200);
}

TEST_CASE("an existing id with another agent is a conflict") {
  Daemon daemon;
  REQUIRE_EQ(Acp(daemon, "x").call("echo").status, 200);
  CHECK_EQ(problem_of(Acp(daemon, "x", "verbatim").call("echo")), "409 conflict");
  CHECK_EQ(Acp(daemon, "x").call("echo").status, 200);
}

TEST_CASE("the checks come in the order of the contract") {
  Daemon daemon;
  Acp unknown(daemon, "x", "unknown");
  CHECK_EQ(problem_of(unknown.post("[", {{"Content-Type", "text/plain"}, {"Accept", "text/html"}})),
           "415 unsupported_media_type");
  CHECK_EQ(problem_of(unknown.post("[", {{"Accept", "text/html"}})), "406 not_acceptable");
  CHECK_EQ(problem_of(unknown.post("[")), "400 invalid_request");
  CHECK_EQ(problem_of(unknown.post(rpc_request("1", "x"))), "400 unsupported_agent");
  REQUIRE_EQ(Acp(daemon, "x").call("echo").status, 200);
  CHECK_EQ(problem_of(unknown.post(rpc_request("1", "x"))), "400 unsupported_agent");
}

TEST_CASE("concurrent first POSTs create one process") {
  Daemon daemon;
  Acp acp(daemon, "x");
  std::vector<Connection> waiting;
  for (int i = 0; i < 20; ++i) waiting.push_back(acp.begin_call("surroundings"));
  std::vector<std::int64_t> pids;
  for (auto& connection : waiting) pids.push_back(number_at(connection.read_response().body, "result.pid"));
  CHECK_GT(pids.front(), 0);
  CHECK_EQ(std::count(pids.begin(), pids.end(), pids.front()), 20);
  CHECK_EQ(marked_agents(daemon.mark()).size(), 1);
}

TEST_CASE("a failed creation leaves nothing behind") {
  Daemon daemon({"--agent", "broken=/no/such/program --flag"});
  Acp acp(daemon, "x", "broken");
  const auto response = acp.call("echo");
  CHECK_EQ(problem_of(response), "502 agent_spawn_failed");
  CHECK_EQ(text_at(response.body, "agent"), "broken");
  CHECK(acp.servers().empty());
  CHECK_EQ(problem_of(acp.get(acp.target())), "404 not_found");
  CHECK_EQ(Acp(daemon, "x").call("echo").status, 200);
}

TEST_CASE("descriptors and children do not pile up, however instances end") {
  Daemon daemon({"--agent", "broken=/no/such/program"});
  const auto descriptors = [&] {
    const auto folder = std::filesystem::directory_iterator("/proc/" + std::to_string(daemon.pid()) + "/fd");
    return std::distance(std::filesystem::begin(folder), std::filesystem::end(folder));
  };
  Acp(daemon, "warm").call("echo");
  Acp(daemon, "warm").remove();
  const auto before = descriptors();
  for (int i = 0; i < 20; ++i) {
    const auto id = "x" + std::to_string(i);
    Acp(daemon, id, "broken").call("echo");
    Acp acp(daemon, id);
    acp.call(i % 2 == 0 ? "echo" : "crash");
    CHECK_EQ(acp.remove().status, 204);
  }
  CHECK_MESSAGE(eventually([&] { return descriptors() <= before + 2; }), descriptors(), " descriptors, before ", before);
  CHECK(eventually([&] { return children_of(daemon.pid()).empty(); }));
}

TEST_CASE("a request waits for the agent's answer and gets its bytes") {
  Daemon daemon;
  Acp acp(daemon, "x");
  const auto response = acp.post(R"({"jsonrpc":"2.0","id":1.50,"method":"echo","params":{ "z" : 1e2 , "a":"\/" }})");
  CHECK_EQ(response.status, 200);
  CHECK(response.header("content-type").starts_with("application/json"));
  CHECK_EQ(response.body, R"({"jsonrpc":"2.0","id":1.50,"result":{"echo":{ "z" : 1e2 , "a":"\/" }}})");
}

TEST_CASE("anything but a request is forwarded and answered 202 without a body") {
  Daemon daemon;
  Acp acp(daemon, "x", "verbatim");
  for (const std::string body : {R"({"jsonrpc":"2.0","method":"note"})", R"({"id":7,"result":{}})", R"({"id":7,"error":{}})",
                                 R"({"result":null})", R"({"method":"note","params":{"id":1}})"}) {
    INFO(body);
    const auto response = acp.post(body);
    CHECK_EQ(response.status, 202);
    CHECK_EQ(response.body, "");
    CHECK_NE(response.header("acp-instance-id"), "");
  }
  auto stream = acp.stream();
  CHECK_EQ(text_at(stream.next().data, "params.line"), R"({"jsonrpc":"2.0","method":"note"})");
}

TEST_CASE("an id of any type makes a request, null included") {
  Daemon daemon;
  Acp acp(daemon, "x");
  for (const std::string id : {"null", "0", "-1", "\"\"", "true", "[1,{}]", "{\"a\":[]}", "1e400"}) {
    INFO(id);
    const auto response = acp.post(rpc_request(id, "echo", "1"));
    CHECK_EQ(response.status, 200);
    CHECK_EQ(response.body, R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{"echo":1}})");
  }
}

TEST_CASE("of duplicate keys the last counts, and an escaped spelling of a key counts") {
  Daemon daemon;
  Acp acp(daemon, "x");
  CHECK_EQ(number_at(acp.post(R"({"id":1,"method":"echo","id":2})").body, "id"), 2);
  CHECK_EQ(number_at(acp.post(R"({"\u0069d":3,"m\u0065thod":"echo"})").body, "id"), 3);
  CHECK_EQ(number_at(acp.post(R"({"id":4,"method":"echo","\u0069\u0064":5})").body, "id"), 5);
}

TEST_CASE("jsonrpc, method names and _meta are never interpreted") {
  Daemon daemon;
  Acp acp(daemon, "x", "verbatim");
  for (const std::string body :
       {R"({"id":1,"method":"_sandboxagent/session/list"})", R"({"id":1,"method":"_adapter/agent_exited"})",
        R"({"jsonrpc":"1.0","id":1,"method":""})", R"({"id":1,"method":"$/cancel_request","_meta":{"x":1}})",
        R"({"id":1,"method":5})", R"({"id":1,"method":null,"params":"text"})"}) {
    INFO(body);
    Connection connection = acp.begin_post(body);
    REQUIRE(eventually([&] { return !acp.listing().empty(); }));
    auto stream = acp.stream();
    CHECK(stream.until("line").is_message());
    acp.post(R"({"id":1,"result":{}})");
    acp.remove();
  }
}

TEST_CASE("the agent's own JSON-RPC errors are HTTP 200") {
  Daemon daemon;
  Acp acp(daemon, "x");
  const auto response = acp.call("refuse");
  CHECK_EQ(response.status, 200);
  CHECK_EQ(number_at(response.body, "error.code"), -32601);
}

TEST_CASE("the answer appears on the stream too, and Acp-Event-Id names its number") {
  Daemon daemon;
  Acp acp(daemon, "x");
  const auto response = acp.call("burst", R"({"count":5})");
  CHECK_EQ(response.header("acp-event-id"), "6");
  CHECK_NE(response.header("acp-instance-id"), "");
  auto stream = acp.stream();
  CHECK_EQ(stream.head().header("acp-instance-id"), response.header("acp-instance-id"));
  const auto event = stream.until_id(6);
  CHECK_EQ(event.data, response.body);
}

TEST_CASE("an unanswered request is 504 after the time-out, and a later answer still appears on the stream") {
  Daemon daemon({"--request-timeout-ms", "300"});
  Acp acp(daemon, "x");
  CHECK_EQ(problem_of(acp.call("never", "{}", "1")), "504 timeout");
  CHECK_EQ(problem_of(acp.call("echo", "{}", "1")), "409 conflict");
  acp.post(utterance("{\"id\":1,\"result\":\"late\"}\n"));
  auto stream = acp.stream();
  CHECK(stream.next().mentions("late"));
  CHECK_EQ(acp.post(rpc_request("1", "echo"), {{"Prefer", "respond-async"}}).status, 202);  // it is free again
}

TEST_CASE("a problem about an instance names it") {
  Daemon daemon({"--agent", "broken=/no/such/program"});
  Daemon impatient({"--request-timeout-ms", "300"});
  std::string id;
  const auto names_it = [&](const Response& response, const std::string& problem) {
    CHECK_EQ(problem_of(response), problem);
    CHECK_MESSAGE(response.header("acp-instance-id") == id, problem);
  };
  Acp hurried(impatient, "x");
  id = hurried.call("echo").header("acp-instance-id");
  REQUIRE_NE(id, "");
  names_it(hurried.call("never", "{}", "\"open\""), "504 timeout");
  names_it(hurried.call("echo", "{}", "\"open\""), "409 conflict");
  Acp acp(daemon, "x");
  id = acp.call("echo").header("acp-instance-id");
  REQUIRE_NE(id, "");
  names_it(Acp(daemon, "x", "verbatim").call("echo"), "409 conflict");
  names_it(acp.call("crash"), "502 agent_process_exited");
  names_it(acp.notify("echo"), "502 agent_process_exited");
  CHECK_FALSE(Acp(daemon, "y", "broken").call("echo").has("acp-instance-id"));
}

TEST_CASE("the time-out comes from the environment too") {
  Daemon daemon(DaemonSetup{.env = {"SANDBOX_AGENT_ACP_REQUEST_TIMEOUT_MS=100"}});
  CHECK_EQ(problem_of(Acp(daemon, "x").call("never")), "504 timeout");
}

TEST_CASE("when a client hangs up while waiting its answer still appears on the stream") {
  Daemon daemon;
  Acp acp(daemon, "x");
  auto waiting = acp.begin_call("never", "{}", "1");
  REQUIRE(eventually([&] { return acp.listed("pendingRequests") == 1; }));
  waiting.reset();
  REQUIRE(eventually([&] { return number_at(acp.get("/v1/status").body, "current.connections") == 1; }));  // our own
  CHECK_EQ(problem_of(acp.call("echo", "{}", "1")), "409 conflict");
  acp.post(utterance("{\"id\":1,\"result\":\"late\"}\n"));
  auto stream = acp.stream();
  CHECK(stream.next().mentions("late"));
  CHECK(eventually([&] { return acp.listed("pendingRequests") == 0; }));
}

TEST_SUITE_END();
