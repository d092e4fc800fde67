// Too much of everything, and too slowly: each with its answer. Nothing here may make the daemon large, slow or silent.
#include <doctest/doctest.h>

#include "fs_scene.h"
#include "raw_exchange.h"

using namespace rig;

namespace {

struct Row {
  std::string name;
  std::string target;
  Headers headers;
  const char* answer;
};

const Headers as_json = {{"Content-Type", "application/json"}};

std::string nested(std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); }

std::string many(std::size_t count, const std::string& part) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += part;
  return all;
}

}  // namespace

TEST_SUITE_BEGIN("security");

TEST_CASE("whatever is too long, too many or no text is refused with its own answer") {
  const Daemon daemon;
  const Api api(daemon);
  REQUIRE_EQ(Acp(daemon, "x").call("echo").status, 200);
  const Row rows[] = {
      {"a server id of 256 bytes", "/v1/acp/" + std::string(256, 'i'), {}, "404 not_found"},
      {"a server id of 257 bytes", "/v1/acp/" + std::string(257, 'i'), {}, "400 invalid_request"},
      {"a server id of 60,000 bytes", "/v1/acp/" + std::string(60'000, 'i'), {}, "400 invalid_request"},
      {"no server id", "/v1/acp/", {}, "400 invalid_request"},
      {"a NUL in a server id", "/v1/acp/a%00b", {}, "400 invalid_request"},
      {"a line end in a server id", "/v1/acp/a%0d%0aX:%20y", {}, "400 invalid_request"},
      {"DEL in a server id", "/v1/acp/a%7f", {}, "400 invalid_request"},
      {"a C1 control in a server id", "/v1/acp/a%c2%9b31m", {}, "400 invalid_request"},
      {"a server id that is not UTF-8", "/v1/acp/%ff%fe", {}, "400 invalid_request"},
      {"an overlong server id", "/v1/acp/%c0%ae", {}, "400 invalid_request"},
      {"a surrogate in a server id", "/v1/acp/%ed%a0%80", {}, "400 invalid_request"},
      {"half an escape", "/v1/acp/a%4", {}, "400 invalid_request"},
      {"an escape that is none", "/v1/acp/a%4g", {}, "400 invalid_request"},
      {"dots as a server id", "/v1/acp/..", {}, "404 not_found"},
      {"an agent's name of 60,000 bytes", "/v1/agents/" + std::string(60'000, 'a'), {}, "404 not_found"},
      {"a path of 60,000 bytes", "/v1/fs/stat?path=" + std::string(60'000, 'p'), {}, "400 invalid_request"},
      {"a path of 20,000 parts", "/v1/fs/stat?path=" + many(20'000, "p/"), {}, "400 invalid_request"},
      {"a config name of 60,000 bytes", "/v1/config/mcp?directory=.&mcpName=" + std::string(60'000, 'n'), {}, "404 not_found"},
      {"20,000 query parameters", "/v1/health?" + many(20'000, "a&"), {}, "200"},
      {"10,000 escapes", "/v1/health?" + many(10'000, "%41"), {}, "200"},
      {"a target over the limit", "/v1/health?" + std::string(66'000, 'q'), {}, "414 uri_too_long"},
      {"a field over the limit", "/v1/health", {{"X", std::string(66'000, 'x')}}, "431 header_too_large"},
      {"a name over the limit", "/v1/health", {{std::string(66'000, 'X'), "x"}}, "431 header_too_large"},
      {"10,000 fields", "/v1/health", Headers(10'000, {"a", ""}), "200"},
      {"20,000 fields", "/v1/health", Headers(20'000, {"a", ""}), "431 header_too_large"},
      {"an Accept of 60,000 bytes", "/v1/health", {{"Accept", many(10'000, "a/b,") + "*/*"}}, "200"},
      {"an Accept of bad numbers", "/v1/health", {{"Accept", "*/*;q=1e999999"}}, "200"},
      {"a position of 1,000 digits", "/v1/acp/nowhere", {{"Last-Event-ID", std::string(1'000, '9')}}, "404 not_found"},
      {"a position that is none", "/v1/acp/x", {{"Last-Event-ID", "-1"}}, "400 invalid_request"},
      {"a position in hex", "/v1/acp/x", {{"Last-Event-ID", "0x1"}}, "400 invalid_request"},
  };
  for (const auto& [name, target, headers, answer] : rows) {
    INFO(name);
    const auto limit = scaled(milliseconds(500));
    const auto took = best_of_three(limit, [&] {
      const auto start = Clock::now();
      const auto response = api.get(target, headers);
      CHECK_EQ(in_short(response), answer);
      CHECK_LT(response.body.size(), 2'000);  // it does not repeat what it was sent
      return since(start);
    });
    CHECK_LT(took, limit);
  }
}

TEST_CASE("a download with 10,000 ranges or tags is answered once") {
  HomeScene s;
  s.write("file", "0123456789");
  const std::pair<const char*, std::string> fields[] = {{"Range", "bytes=" + many(10'000, "0-1,") + "0-1"},
                                                        {"Range", "bytes=0-18446744073709551615"},
                                                        {"Range", "bytes=99999999999999999999-"},
                                                        {"Range", "bytes=-99999999999999999999"},
                                                        {"Range", "bytes=5-1"},
                                                        {"If-None-Match", many(10'000, "\"x\",") + "\"y\""},
                                                        {"If-Range", std::string(60'000, 'x')}};
  for (const auto& [name, value] : fields) {
    INFO(name, ": ", value.substr(0, 40));
    const auto response = s.files.download("w/file", {{name, value}});
    CHECK((response.status == 200 || response.status == 206 || response.status == 416));
    CHECK_LT(response.body.size(), 500);
  }
}

TEST_CASE("bodies that are too deep, too large or no text are refused, and of two members of one name the last counts") {
  const Daemon daemon({"--max-json-bytes", "2000000"});
  const Api api(daemon);
  const std::string mcp = "/v1/config/mcp?directory=.&mcpName=x";
  const auto put = [&](const std::string& body) { return in_short(api.request("PUT", mcp, as_json, body)); };
  const auto start = Clock::now();  // of work, some on a disk that may be slow
  CHECK_EQ(put(nested(257)), "400 invalid_request");
  CHECK_EQ(put(nested(100'000)), "400 invalid_request");
  CHECK_EQ(put(many(100'000, "{\"a\":")), "400 invalid_request");
  CHECK_EQ(put(R"({"type":"local","command":["x"],"more":)" + nested(200) + "}"), "204");
  CHECK_EQ(put("{\"type\":\"local\",\"command\":[\"\xff\"]}"), "400 invalid_request");
  CHECK_EQ(put("{\"type\":\"local\",\"command\":[\"\xed\xa0\x80\"]}"), "400 invalid_request");
  CHECK_EQ(put("\xef\xbb\xbf{\"type\":\"local\",\"command\":[\"x\"]}"), "400 invalid_request");
  CHECK_EQ(put(R"({"type":"local","command":["x"],"timeoutMs":1e999999999})"), "422 unprocessable");
  CHECK_EQ(put(R"({"type":"local","command":["x"],"timeoutMs":)" + std::string(100'000, '9') + "}"), "422 unprocessable");
  CHECK_EQ(put(R"({"type":"local","command":[)" + many(300'000, "\"x\",") + R"("x"]})"), "204");
  CHECK_EQ(put(R"({"type":"local","command":[")" + std::string(2'000'000, 'x') + R"("]})"), "413 payload_too_large");
  CHECK_EQ(put(R"({"type":"remote","type":"local","command":["first"],"command":["last"]})"), "204");
  CHECK_EQ(text_at(api.get(mcp).body, "type"), "local");
  CHECK(api.get(mcp).body.find("first") == std::string::npos);
  CHECK_EQ(in_short(api.request("POST", "/v1/fs/move", as_json, R"({"from":)" + nested(100'000) + "}")), "400 invalid_request");
  CHECK_EQ(in_short(api.request("POST", "/v1/agents/fake/install", as_json, nested(100'000))), "400 invalid_request");
  CHECK_LT(since(start), scaled(milliseconds(10'000)));
}

TEST_CASE("messages to an agent may be as deep as they are long, but not nonsense") {
  const Daemon daemon;
  const Acp acp(daemon, "x", "silent");
  CHECK_EQ(in_short(acp.post(R"({"method":"n","params":)" + nested(1'000'000) + "}")), "202");
  const std::string bodies[] = {
      nested(1'000'000),
      R"({"method":"n","params":)" + std::string(1'000'000, '['),
      "{\"method\":\"\xc0\xae\"}",
      "{\"method\":\"\xed\xa0\x80\"}",
      "{\"method\":\"\xf4\x90\x80\x80\"}",
      "{\"method\":\"a\nb\"}",
      "{\"method\":\"a\x01\"}",
      std::string("{\"method\":\"a\0\"}", 14),
      "\xef\xbb\xbf{\"method\":\"n\"}",
      "{\"method\":\"n\"}{\"method\":\"n\"}",
      "{\"method\":\"n\"}\n{\"method\":\"n\"}",
      "[{\"method\":\"n\"}]",
      "{'method':'n'}",
      "{\"method\":NaN}",
      "{\"method\":0x10}",
      "{\"method\":01}",
      "{\"method\":\"n\",}",
      "",
      " ",
      "null",
      "\"method\"",
  };
  for (const auto& body : bodies) {
    INFO(body.substr(0, 60));
    CHECK_EQ(in_short(acp.post(body)), "400 invalid_request");
  }
}

TEST_CASE("more instances than allowed are 503, and so is nothing else") {
  const Daemon daemon({"--max-instances", "2"});
  CHECK_EQ(in_short(Acp(daemon, "a", "silent").notify("n")), "202");
  CHECK_EQ(in_short(Acp(daemon, "b", "silent").notify("n")), "202");
  const auto refused = Acp(daemon, "c", "silent").notify("n");
  CHECK_EQ(in_short(refused), "503 overloaded");
  CHECK_NE(refused.header("retry-after"), "");
  CHECK_EQ(in_short(Acp(daemon, "b", "silent").notify("n")), "202");
  CHECK_EQ(in_short(Acp(daemon, "a", "silent").remove()), "204");
  CHECK_EQ(in_short(Acp(daemon, "c", "silent").notify("n")), "202");
}

TEST_CASE("a request nobody may send is answered before its body, however much that would be") {
  const Daemon daemon;
  const std::pair<const char*, const char*> rows[] = {
      {"PUT /v1/fs/file?path=x HTTP/1.1\r\nHost: localhost\r\n", "401 token_missing"},
      {"POST /v1/fs/upload-batch HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\n", "401 token_invalid"},
      {"PUT /v1/fs/file?path=x HTTP/1.1\r\nHost: evil.example\r\n", "403 forbidden"},
      {"POST /v1/acp/x HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n", "403 forbidden"},
      {"PUT /nowhere HTTP/1.1\r\nHost: localhost\r\n", "404 not_found"},
      {"PUT /healthz HTTP/1.1\r\nHost: localhost\r\n", "405 method_not_allowed"},
  };
  for (const auto& [head, answer] : rows) {
    INFO(head);
    for (const char* framing :
         {"Content-Length: 9223372036854775807\r\n\r\nx", "Transfer-Encoding: chunked\r\n\r\nffffff\r\nx"})
      CHECK_EQ(every_answer(daemon, head + std::string(framing)), answer);
  }
}

TEST_CASE("a client that was refused and sends on is cut off") {
  const Daemon daemon;
  Connection connection(daemon.port());
  connection.send("PUT /v1/fs/file?path=x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9223372036854775807\r\n\r\n");
  CHECK_EQ(problem_of(connection.read_response()), "401 token_missing");
  const std::string piece(1U << 20U, 'x');
  const auto start = Clock::now();
  for (int i = 0; i < 200 && since(start) < scaled(milliseconds(5000)); ++i) connection.send(piece);
  CHECK_LT(daemon.resident_kib(), plain_build() ? 64 * 1024 : 1024 * 1024);
  CHECK(connection.closed_within(milliseconds(3000)));
  CHECK_EQ(Api(daemon).get("/v1/health").status, 200);
}

TEST_CASE("a client that is slow with anything is told so, or left, in time") {
  const Daemon daemon({"--head-timeout-ms", "400", "--body-timeout-ms", "400", "--idle-timeout-ms", "400"});
  const auto authorized = [&](const char* line) {
    return std::string(line) + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer " +
           daemon.token() + "\r\n";
  };
  const std::string too_slow = "408 request_timeout";
  const std::pair<std::string, std::string> rows[] = {
      {"", ""},  // nothing at all: no answer, only the end
      {"\r\n", ""},
      {"G", too_slow},
      {"GET /healthz HTTP/1.1", too_slow},
      {"GET /healthz HTTP/1.1\r\nHost: localhost\r\n", too_slow},
      {"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(10'000, 'x'), too_slow},
      {"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", "200"},  // and nothing behind it
      {"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /h", "200, " + too_slow},
      {authorized("POST /v1/acp/x?agent=silent") + "Content-Length: 10\r\n\r\n", too_slow},
      {authorized("POST /v1/acp/x?agent=silent") + "Content-Length: 10\r\n\r\n{\"meth", too_slow},
      {authorized("POST /v1/acp/x?agent=silent") + "Transfer-Encoding: chunked\r\n\r\n", too_slow},
      {authorized("POST /v1/acp/x?agent=silent") + "Transfer-Encoding: chunked\r\n\r\n5", too_slow},
      {authorized("POST /v1/acp/x?agent=silent") + "Transfer-Encoding: chunked\r\n\r\n5\r\nabc", too_slow},
      {authorized("POST /v1/acp/x?agent=silent") + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n", too_slow},
      {authorized("PUT /v1/fs/file?path=slow") + "Content-Length: 10\r\n\r\nabc", too_slow},
      {authorized("PUT /v1/config/mcp?directory=.&mcpName=x") + "Content-Length: 10\r\n\r\n{", too_slow},
      {authorized("POST /v1/fs/move") + "Content-Length: 10\r\n\r\n{", too_slow},
  };
  std::vector<Connection> slow;
  for (const auto& [bytes, answer] : rows) {
    slow.emplace_back(daemon.port());
    slow.back().send(bytes);
  }
  CHECK_EQ(Api(daemon).get("/v1/health").status, 200);  // nobody else waits for them
  for (std::size_t i = 0; i < slow.size(); ++i) {
    INFO(rows[i].first);
    CHECK_EQ(every_answer(slow[i]), rows[i].second);
  }
  CHECK_FALSE(std::filesystem::exists(daemon.home() / "slow"));
  CHECK(Api(daemon).servers().empty());
}

TEST_CASE("a client that announced a body and waits for the word to send it does not wait for ever") {
  const Daemon daemon({"--body-timeout-ms", "150"});
  auto connection = Api(daemon).begin("PUT", "/v1/fs/file?path=x", {{"Content-Length", "10"}, {"Expect", "100-continue"}});
  CHECK_EQ(connection.read_head().status, 100);
  CHECK_EQ(every_answer(connection), "408 request_timeout");
}

TEST_CASE("a client that asks and asks and takes no answer is left") {
  const Daemon daemon({"--reader-timeout-ms", "200"});
  Connection deaf(daemon.port(), 4096);
  const auto request = http_request("GET", "/v1/openapi.json", {{"Authorization", "Bearer " + daemon.token()}});
  const auto is_left = [&] {  // the one that asks is the only one
    deaf.send_some(many(20, request));
    return number_at(Api(daemon).get("/v1/status").body, "current.connections") == 1;
  };
  CHECK(eventually(is_left, milliseconds(5000)));
  CHECK_LT(daemon.resident_kib(), plain_build() ? 64 * 1024 : 1024 * 1024);
}

TEST_CASE("five hundred connections that say nothing keep nobody from being served") {
  const Daemon daemon({"--head-timeout-ms", "1500"});
  std::vector<Connection> silent;
  for (int i = 0; i < 500; ++i) {
    silent.emplace_back(daemon.port());
    if (i % 2 == 1) silent.back().send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
  }
  const auto limit = scaled(milliseconds(1000));
  const auto took = best_of_three(limit, [&] {
    const auto start = Clock::now();
    for (int i = 0; i < 20; ++i) CHECK_EQ(Api(daemon).get("/v1/health").status, 200);
    return since(start);
  });
  CHECK_LT(took, limit);
  CHECK_LT(daemon.resident_kib(), plain_build() ? 64 * 1024 : 1024 * 1024);
}

TEST_SUITE_END();
