// Held: a head is accepted exactly when a plain reading of its raw bytes finds it well-formed and not open to smuggling, and
// then both see the same fields, target and framing.
#include <memory>
#include <string>

#include "fuzz_input.h"
#include "http/message_parser.h"
#include "plain_head.h"

namespace sa::fuzz {
namespace {

// What the connection would hand over: the bytes up to the first empty line.
std::string first_head(std::string_view input) {
  std::string bytes(input);
  bytes += "\r\n\r\n";
  bytes.resize(bytes.find("\r\n\r\n") + 4);
  return bytes;
}

PlainBody plain(BodyKind kind) {
  return kind == BodyKind::chunked ? PlainBody::chunked : kind == BodyKind::sized ? PlainBody::sized : PlainBody::none;
}

bool says_close(const PlainHead& head) {
  for (const std::string_view value : head.values("connection"))
    if (same_word(value, "close")) return true;
  return false;
}

// Beast also reads these fields and refuses lists that are not lists, as it may.
bool has_connection_options(const PlainHead& head) {
  return !head.values("connection").empty() || !head.values("proxy-connection").empty() || !head.values("upgrade").empty();
}

void check_same(const PlainHead& expected, const PlainTarget& target, const Request& request) {
  hold(request.method == expected.method && request.target == expected.target, "the request line is as sent");
  hold(request.minor_version == expected.version.back() - '0', "the version is as sent");
  hold(request.path == target.path && request.query == target.query, "the target has the same parts");
  hold(request.headers.size() == expected.fields.size(), "no field is lost or made up");
  for (std::size_t i = 0; i < request.headers.size(); ++i) {
    hold(request.headers[i].name == expected.fields[i].name, "a field keeps its name");
    hold(request.headers[i].value == expected.fields[i].value, "a field keeps its value");
  }
}

void check(std::string_view input) {
  const std::string bytes = first_head(input);
  const auto exact = std::make_unique<char[]>(bytes.size());  // so that reading too far is noticed
  bytes.copy(exact.get(), bytes.size());
  const std::string_view head(exact.get(), bytes.size());

  MessageParser parser;
  Request request;
  const auto framing = parser.parse_head(head, request);
  const auto expected = read_plainly(head);
  const PlainFraming rules = expected ? frame_plainly(*expected) : PlainFraming{};
  const auto target = rules.body != PlainBody::refused ? target_plainly(*expected) : std::nullopt;
  if (!framing) {
    hold(framing.error().code == ErrorCode::invalid_request, "a refusal is a 400");
    hold(!target || has_connection_options(*expected), "a well-formed head is accepted");
    return;
  }
  hold(expected.has_value(), "an accepted head is well-formed");
  hold(rules.body == plain(framing->body), "the body is framed by the rules against smuggling");
  hold(framing->content_length == rules.length, "the length is the one that was sent");
  hold(target.has_value(), "an accepted target is a path on this host");
  hold(!says_close(*expected) || !framing->keep_alive, "close means close");
  check_same(*expected, *target, request);
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
