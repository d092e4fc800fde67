// The first two bytes cut the rest, which is a chunked body and what follows it. Held: however it is cut, the result is the
// same; the bytes are those a plain decoder finds; what follows the body is not touched.
#include <optional>
#include <string>

#include "fuzz_input.h"
#include "http/message_parser.h"

namespace sa::fuzz {
namespace {

struct Outcome {
  enum class State : std::uint8_t { unfinished, done, refused };
  State state = State::unfinished;
  std::string body;
  std::string rest;
  bool operator==(const Outcome&) const = default;
};
using State = Outcome::State;

// As a connection does it: what is not consumed waits for more.
Outcome decode(const std::vector<std::string_view>& pieces) {
  constexpr std::string_view head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
  MessageParser parser;
  Request request;
  hold(parser.parse_head(head, request).has_value(), "the head is accepted");
  Outcome outcome;
  for (const std::string_view piece : pieces) {
    outcome.rest += piece;
    if (outcome.state == State::refused) continue;
    const std::vector<char> exact(outcome.rest.begin(), outcome.rest.end());  // so that reading too far is noticed
    const auto decoded = parser.decode_chunks({exact.data(), exact.size()}, outcome.body);
    if (!decoded) {
      hold(decoded.error().code == ErrorCode::invalid_request, "a refusal is a 400");
      outcome.state = State::refused;
      continue;
    }
    hold(decoded->consumed <= exact.size(), "no more is consumed than there is");
    outcome.rest.erase(0, decoded->consumed);
    if (outcome.state == State::done) hold(decoded->consumed == 0 && decoded->done, "nothing behind the end is consumed");
    if (decoded->done) outcome.state = State::done;
  }
  if (outcome.state == State::refused) outcome.rest.clear();  // the connection is closed
  return outcome;
}

int hex(char c) {
  constexpr std::string_view kDigits = "0123456789abcdefABCDEF";
  const std::size_t at = kDigits.find(c);
  return at == kDigits.npos ? -1 : static_cast<int>(at < 16 ? at : at - 6);
}

struct PlainOutcome : Outcome {
  // Their grammar is not judged here: an extension may be refused, or wait for the end of a quotation; a field behind the body
  // may be refused.
  bool has_extension = false;
  bool has_trailer = false;
};

PlainOutcome decode_plainly(std::string_view bytes) {
  PlainOutcome out;
  const auto expect_line_end = [&] {
    const std::size_t length = std::min<std::size_t>(bytes.size(), 2);
    if (bytes.substr(0, length) != std::string_view("\r\n").substr(0, length)) out.state = State::refused;
    bytes.remove_prefix(length);
    return length == 2 && out.state != State::refused;
  };
  for (;;) {
    std::uint64_t size = 0;
    std::size_t digits = 0;
    for (; digits < bytes.size() && hex(bytes[digits]) >= 0; ++digits) {
      if (size >> 60 != 0) out.state = State::refused;
      size = size << 4 | static_cast<unsigned>(hex(bytes[digits]));
    }
    bytes.remove_prefix(digits);
    if (digits == 0 && !bytes.empty()) out.state = State::refused;
    if (out.state == State::refused || bytes.empty()) return out;
    if (bytes[0] == ';' || bytes[0] == ' ' || bytes[0] == '\t') {
      out.has_extension = true;
      bytes.remove_prefix(std::min(bytes.find_first_of("\r\n"), bytes.size()));
    }
    if (!expect_line_end()) return out;
    const std::size_t here = std::min<std::uint64_t>(size, bytes.size());
    out.body += bytes.substr(0, here);
    bytes.remove_prefix(here);
    if (size == 0) break;
    if (here < size || !expect_line_end()) return out;
  }
  while (bytes.size() >= 2 && !bytes.starts_with("\r\n")) {
    out.has_trailer = true;
    const std::size_t end = bytes.find("\r\n");
    if (end == bytes.npos) return out;
    bytes.remove_prefix(end + 2);
  }
  if (out.has_trailer && bytes.size() < 2) return out;
  if (!expect_line_end()) return out;
  out.state = State::done;
  out.rest = bytes;
  return out;
}

void check(const CutInput& input) {
  const Outcome whole = decode({input.whole});
  hold(decode(input.pieces()) == whole, "the result is the same however the bytes are cut");
  const PlainOutcome plain = decode_plainly(input.whole);
  if (whole.state == State::done) hold(whole == plain, "a body is what a plain decoder finds");
  if (plain.has_extension || plain.has_trailer) return;
  if (whole.state == State::unfinished) hold(plain.state != State::done, "an end is noticed");
  if (whole.state == State::refused) hold(plain.state == State::refused, "a right body is accepted");
  if (plain.state != State::refused) hold(plain.body == whole.body, "what is here of a body is delivered");
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 2) sa::fuzz::check(sa::fuzz::CutInput(sa::fuzz::text_of(data, size)));
  return 0;
}
