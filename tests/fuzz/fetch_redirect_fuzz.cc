// The lines are a URL, a method, a header field of the request and then answers, each a status, a blank and a Location. Held:
// what is sent is a head that a strict server reads as one request without a second meaning; credentials never leave their
// origin; nothing leads from https to http.
#include <algorithm>
#include <string>

#include "fuzz_input.h"
#include "io/fetch_step.h"
#include "plain_head.h"

namespace sa::fuzz {
namespace {

bool has_header(const FetchStep& step, std::string_view name) {
  return std::ranges::any_of(step.headers, [&](const auto& header) { return same_word(header.first, name); });
}

bool has_credentials(const FetchStep& step) {
  return has_header(step, "authorization") || has_header(step, "cookie") || has_header(step, "proxy-authorization");
}

void check_head(const FetchStep& step) {
  for (const bool to_proxy : {false, true}) {
    if (to_proxy && step.url.secure) continue;  // a proxy only carries it
    const std::string head = request_head(step, to_proxy, to_proxy ? "Basic eDp5" : "");
    const auto read = read_plainly(head);
    hold(read.has_value(), "what is sent is a well-formed head");
    hold(read->method == step.method && read->version == "HTTP/1.1", "it is the request");
    const auto target = target_plainly(*read);
    hold(target.has_value(), "its target is on the host it names");
    hold(read->values("host").size() == 1 && read->values("host")[0] == step.url.authority(), "it names its host once");
    const PlainFraming framing = frame_plainly(*read);
    hold(framing.body != PlainBody::refused && framing.length == step.body.size(), "its body has one framing");
    hold(read->fields.size() >= step.headers.size() + 2, "no header is lost");
  }
}

void check(std::vector<std::string> lines) {
  lines.resize(std::max<std::size_t>(lines.size(), 3));
  const std::size_t colon = std::min(lines[2].find(':'), lines[2].size());
  FetchRequest request{.method = lines[1], .url = lines[0], .body = lines[1] == "POST" ? "body" : ""};
  if (colon < lines[2].size()) request.headers.emplace_back(lines[2].substr(0, colon), lines[2].substr(colon + 1));
  auto step = first_step(request);
  if (!step) return hold(!step.error().text.empty(), "a refusal has a sentence");
  const UrlParts origin = step->url;
  bool has_left = false;
  check_head(*step);
  for (std::size_t i = 3; i < std::min<std::size_t>(lines.size(), 12); ++i) {
    ResponseHead head;
    head.status = lines[i].starts_with("307") ? 307 : lines[i].starts_with("308") ? 308 : 302;
    if (lines[i].size() > 4) head.headers.emplace_back("location", lines[i].substr(4));
    if (!is_redirect(head)) continue;
    auto next = next_step(*step, head);
    if (!next) {
      hold(!next.error().text.contains('@'), "a refusal names no credentials");
      return;
    }
    hold(next->url.secure || !step->url.secure, "nothing leads from https to http");
    hold(next->url.userinfo.empty(), "a redirect does not choose who we are");
    has_left = has_left || !next->url.same_origin(origin);
    if (has_left) hold(!has_credentials(*next), "credentials do not leave their origin");
    hold(next->method == step->method || (next->method == "GET" && next->body.empty()), "a method stays or becomes a GET");
    check_head(*next);
    *step = std::move(*next);
  }
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest = sa::fuzz::text_of(data, size);
  std::vector<std::string> lines;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    lines.emplace_back(line);
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  sa::fuzz::check(std::move(lines));
  return 0;
}
