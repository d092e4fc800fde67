// What others wrote comes back through the daemon: it must stay data. No answer is a page that a browser would run in the
// daemon's origin, no value becomes a header field, no line becomes an event.
#include <doctest/doctest.h>

#include "fs_scene.h"
#include "raw_exchange.h"

using namespace rig;

namespace {

const std::string page = "<!doctype html><script>alert(document.domain)</script>";

using Targets = std::vector<std::string>;

bool is_data(const Response& response) {
  const auto type = response.header("content-type");
  for (const char* known : {"application/json", "application/problem+json", "application/octet-stream", "text/event-stream",
                            "text/plain; charset=utf-8"}) {
    if (type == known) return true;
  }
  return type.empty() && response.body.empty();
}

bool is_never_guessed(const Response& response) { return response.header("x-content-type-options") == "nosniff"; }

}  // namespace

TEST_SUITE_BEGIN("security");

TEST_CASE("a downloaded page is bytes to a browser, never a page of the daemon's") {
  const HomeScene s({"--no-telemetry"});
  for (const std::string name :
       {"page.html", "page.svg", "page.xml", "page.js", "page.pdf", "page", "page.html?x", "page<b>.htm"}) {
    INFO(name);
    s.write(name, page);
    for (const Headers& headers : {Headers{}, Headers{{"Range", "bytes=0-20"}}, Headers{{"Accept", "text/html"}}}) {
      const auto response = s.files.download("w/" + name, headers);
      CHECK_EQ(response.status / 100, 2);
      CHECK_EQ(response.header("content-type"), "application/octet-stream");
      CHECK(is_never_guessed(response));
      CHECK_FALSE(response.has("content-disposition"));  // so no name gets into a header field
    }
    CHECK_EQ(s.files.head("w/" + name).header("content-type"), "application/octet-stream");
    CHECK_EQ(s.files.stat("w/" + name).header("content-type"), "application/json");
  }
  CHECK_EQ(s.files.list("w").header("content-type"), "application/json");
}

TEST_CASE("what an agent writes is data in every answer") {
  const Daemon daemon;
  Acp acp(daemon, "x");
  const auto said = acp.call("echo", R"({"text":"<script>alert(1)</script>"})");
  CHECK_EQ(said.header("content-type"), "application/json");
  REQUIRE_EQ(acp.call("stderr", R"({"text":"<script>alert(1)</script>"})").status / 100, 2);
  const auto errors = acp.get("/v1/acp/x/stderr");
  CHECK_EQ(errors.header("content-type"), "text/plain; charset=utf-8");
  CHECK(is_never_guessed(errors));
  CHECK_EQ(acp.stream().head().header("content-type"), "text/event-stream");
  CHECK(is_data(acp.get("/v1/acp")));
}

TEST_CASE("no error repeats what it was sent as anything but JSON") {
  const Daemon daemon;
  const Api api(daemon);
  const std::string mark = "%3Cscript%3Ealert(1)%3C/script%3E";
  for (const std::string& target : Targets{
           "/<script>alert(1)</script>", "/v1/<img/src=x>", "/v1/acp/" + mark, "/v1/agents/" + mark, "/v1/fs/stat?path=" + mark,
           "/v1/fs/file?path=" + mark, "/v1/fs/entries?path=" + mark, "/v1/config/mcp?directory=" + mark + "&mcpName=" + mark,
           "/v1/agents?config=" + mark, "/ui/assets/" + mark + ".js"}) {
    INFO(target);
    const auto response = api.get(target, {{"Accept", "text/html, */*"}});
    CHECK_EQ(response.status / 100, 4);
    CHECK_EQ(response.header("content-type"), "application/problem+json");
    CHECK_NOTHROW(parse_json(response.body));
  }
}

TEST_CASE("no value becomes a field of an answer") {
  const Daemon daemon({"-O", "*"});
  const Api api(daemon);
  const std::string injected = "%0d%0aSet-Cookie:%20a=b%0d%0a%0d%0a<script>";
  for (const std::string& target :
       Targets{"/" + injected, "/v1/acp/" + injected, "/v1/agents/" + injected, "/ui/" + injected, "/ui" + injected,
               "/v1/fs/file?path=" + injected, "/v1/fs/stat?path=" + injected, "/?x=" + injected, "/v1/acp/x?agent=" + injected,
               "//evil.example/%2f..", "/\\evil.example"}) {
    INFO(target);
    for (const char* method : {"GET", "OPTIONS", "DELETE"}) {
      const auto response = api.request(method, target, {{"Accept", "text/html"}, {"Origin", "http://x"}});
      CHECK_FALSE(response.has("set-cookie"));
      const auto location = response.header("location");
      CHECK((location.empty() || location == "/ui/"));
    }
  }
  CHECK_EQ(every_answer(daemon, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nOrigin: http://x\rSet-Cookie: a=b\r\n\r\n"),
           "400 invalid_request");
}

TEST_CASE("the page may not be framed, and runs only what is its own") {
  const Daemon daemon;
  for (const char* target : {"/ui/", "/ui/files", "/ui/assets/nothing.js"}) {
    INFO(target);
    const auto response = Api(daemon).get(target);
    const auto policy = response.header("content-security-policy");
    for (const char* rule :
         {"default-src 'self'", "frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'", "form-action 'none'"})
      CHECK_MESSAGE(policy.contains(rule), rule);
    CHECK_FALSE(policy.contains("unsafe"));
    CHECK(is_never_guessed(response));
    CHECK_EQ(response.header("referrer-policy"), "no-referrer");
  }
}

TEST_CASE("whatever an agent says is one event of its own, never another or a part of one") {
  const Daemon daemon;
  const Acp acp(daemon, "x");
  const std::string lines[] = {
      R"({"a":"\n\nevent: gap\ndata: {}\n\n"})",
      "{\"a\":\r\r\"event: gap\"}",
      "{\"a\":\"\xe2\x80\xa8\xe2\x80\xa9\xc2\x85\"}",
      "{\"a\":1}\rdata: x\r\revent: gap",
      "event: gap",
      "data: {\"from\":1,\"to\":9}",
      "id: 999",
      "retry: 1",
      ": comment",
      "\xef\xbb\xbf{\"a\":1}",
      "{\"id\":\"1\\nid: 7\",\"method\":\"x\\r\\n\\r\\n\"}",
      std::string("{\"a\":\"\0\"}", 9),
      "{\"a\":\"\xff\xfe\"}",
      "{\"method\":\"_adapter/agent_exited\"}",
  };
  for (const auto& line : lines) acp.post(utterance(line + "\n"));
  auto stream = acp.stream();
  for (std::uint64_t number = 1; number <= std::size(lines); ++number) {
    const auto event = stream.next();  // which checks form and order
    INFO(event.data);
    CHECK(event.is_message());
    CHECK_EQ(event.id, number);
    CHECK_EQ(event.data.find_first_of(std::string("\r\n\0", 3)), std::string::npos);
  }
  CHECK(stream.quiet_for(milliseconds(50)));
}

TEST_CASE("whatever a client says is one event of its own to those who watch") {
  const Daemon daemon;
  const Acp acp(daemon, "x", "silent");
  const std::string bodies[] = {"{\"method\":\"a\",\r\n\r\n\"params\":\"\\n\\nevent: gap\\n\"}",
                                "{\"method\":\"b\"\r,\r\"x\":1}", "\n\n{\"method\":\"c\"}\r\n",
                                "{\"method\":\"\xe2\x80\xa8\"}"};
  for (const auto& body : bodies) REQUIRE_EQ(acp.post(body).status, 202);
  auto stream = acp.stream({}, "include=client");
  for (std::size_t i = 0; i < std::size(bodies); ++i) {
    const auto event = stream.next();
    CHECK_EQ(event.kind, SseEvent::Kind::client);
    CHECK_EQ(event.data.find_first_of("\r\n"), std::string::npos);
  }
}

TEST_SUITE_END();
