// The first two bytes cut the rest, which is what a server answers: a head and a body. Held: however it is cut, the result is
// the same; a head that is accepted consists of lines whose parts written anew are read the same, and says its framing in one
// way; the body is what a plain decoder finds, and what follows it is not touched.
#include <algorithm>
#include <optional>
#include <string>

#include "fuzz_input.h"
#include "io/response_body.h"
#include "io/response_head.h"

namespace sa::fuzz {
namespace {

enum class State : std::uint8_t { unfinished, done, refused };

struct Outcome {
  State state = State::unfinished;
  std::string body;
  std::string rest;
  bool operator==(const Outcome&) const = default;
};

using Kind = BodyFraming::Kind;

Outcome decode(BodyFraming framing, const std::vector<std::string_view>& pieces) {
  ResponseBody body(framing);
  Outcome outcome;
  for (const std::string_view piece : pieces) {
    const std::vector<char> exact(piece.begin(), piece.end());  // so that reading too far is noticed
    std::string_view bytes(exact.data(), exact.size());
    while (!bytes.empty() && !body.done() && outcome.state != State::refused) {
      const std::size_t before = bytes.size();
      const auto next = body.next(bytes);
      if (!next) outcome.state = State::refused;
      if (!next) continue;
      hold(bytes.size() + next->size() <= before, "no more is given out than there is");
      hold(bytes.size() < before, "there is always progress");
      outcome.body += *next;
    }
    outcome.rest += bytes;
  }
  if (outcome.state != State::refused && body.done()) outcome.state = State::done;
  if (outcome.state != State::done) outcome.rest.clear();
  return outcome;
}

// Takes `text` off the front of `bytes`; nullopt when that may still come.
std::optional<bool> take(std::string_view& bytes, std::string_view text) {
  const std::size_t here = std::min(bytes.size(), text.size());
  if (bytes.substr(0, here) != text.substr(0, here)) return false;
  bytes.remove_prefix(here);
  return here == text.size() ? std::optional(true) : std::nullopt;
}

// A line without its end. Refused when a CR or LF stands alone; nullopt when its end may still come.
struct Line {
  std::string_view text;
  State state = State::unfinished;
};
Line take_line(std::string_view& bytes) {
  Line line{bytes.substr(0, bytes.find_first_of("\r\n"))};
  bytes.remove_prefix(line.text.size());
  const auto ended = take(bytes, "\r\n");
  if (ended) line.state = *ended ? State::done : State::refused;
  return line;
}

bool is_size(std::string_view text) {
  return !text.empty() && text.size() <= 16 && text.find_first_not_of("0123456789abcdefABCDEF") == text.npos;
}

Outcome decode_plainly(std::string_view bytes) {
  Outcome out;
  const auto ends_as = [&](State state) {
    out.state = state;
    return out;
  };
  for (;;) {
    if (bytes.empty()) return out;
    const Line line = take_line(bytes);
    const std::string digits(line.text.substr(0, line.text.find(';')));
    if (!is_size(digits)) return ends_as(State::refused);
    if (line.state != State::done) return ends_as(line.state);
    const unsigned long long size = std::stoull(digits, nullptr, 16);
    if (size == 0) break;
    const std::string_view data = bytes.substr(0, std::min<unsigned long long>(size, bytes.size()));
    out.body += data;
    bytes.remove_prefix(data.size());
    if (data.size() < size) return out;
    const auto ended = take(bytes, "\r\n");
    if (!ended || !*ended) return ends_as(ended ? State::refused : State::unfinished);
  }
  for (;;) {
    const Line trailer = take_line(bytes);
    if (trailer.state != State::done) return ends_as(trailer.state);
    if (trailer.text.empty()) break;
  }
  out.rest = bytes;
  return ends_as(State::done);
}

void check_head(std::string_view text, const ResponseHead& head) {
  hold(std::ranges::count(text, '\n') == static_cast<std::ptrdiff_t>(head.headers.size() + 2), "every line is a header");
  hold(std::ranges::count(text, '\r') == static_cast<std::ptrdiff_t>(head.headers.size() + 2), "every line ends with CR LF");
  hold(!text.contains('\0'), "there is no NUL");
  hold(head.status >= 100 && head.status <= 599, "a status has three digits");
  std::string anew = std::string(head.is_http_1_1 ? "HTTP/1.1 " : "HTTP/1.0 ") + std::to_string(head.status) + "\r\n";
  for (const auto& [name, value] : head.headers) anew.append(name).append(":").append(value).append("\r\n");
  const auto again = parse_response_head(anew + "\r\n");
  hold(again && again->status == head.status && again->headers == head.headers, "a head written anew is the same");
}

void check_framing(const ResponseHead& head, BodyFraming framing) {
  const bool has_length =
      std::ranges::any_of(head.headers, [](const auto& header) { return header.first == "content-length"; });
  const bool has_encoding =
      std::ranges::any_of(head.headers, [](const auto& header) { return header.first == "transfer-encoding"; });
  hold(!has_length || !has_encoding, "a framing is said in one way");
  hold(framing.kind != Kind::until_close || (!has_length && !has_encoding), "the end counts only where nothing is said");
  if (framing.kind != Kind::length) return;
  for (const auto& [name, value] : head.headers)
    if (name == "content-length") {
      const std::size_t zeros = std::min(value.find_first_not_of('0'), value.size() - 1);
      hold(value.substr(zeros) == std::to_string(framing.length), "a length is its digits");
    }
}

void check_body(BodyFraming framing, const CutInput& input) {
  const Outcome whole = decode(framing, {input.whole});
  hold(decode(framing, input.pieces()) == whole, "the result is the same however the bytes are cut");
  if (framing.kind == Kind::length) {
    hold(whole.body == input.whole.substr(0, std::min<std::uint64_t>(framing.length, input.whole.size())),
         "a length is obeyed");
    return;
  }
  if (framing.kind != Kind::chunked) return;
  const Outcome plain = decode_plainly(input.whole);
  hold(whole.state == plain.state, "a plain decoder judges the same");
  hold(whole.body == plain.body && whole.rest == plain.rest, "a plain decoder finds the same");
}

void check(std::string_view input) {
  const std::string_view cuts = input.substr(0, 2);
  const std::string_view bytes = input.substr(2);
  const auto end = find_head_end(bytes);
  if (!end) return;
  const auto head = parse_response_head(bytes.substr(0, *end));
  if (!head) return;
  check_head(bytes.substr(0, *end), *head);
  const auto framing = body_framing(*head, "GET");
  if (!framing) return;
  check_framing(*head, *framing);
  check_body(*framing, CutInput(cuts, bytes.substr(*end)));
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 2) sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
