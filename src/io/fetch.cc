#include "io/fetch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "io/fetch_exchange.h"
#include "io/fetch_step.h"
#include "io/lower_case.h"

namespace sa {
namespace {

using Kind = FetchError::Kind;

// Tells the receiver how far it is, ten times a second at most, and once at the end.
class ProgressReport {
 public:
  ProgressReport(const FetchRequest& request, std::optional<std::uint64_t> total) : report_(request.progress), total_(total) {}

  void at(std::uint64_t bytes) {
    if (report_ && Clock::now() - last_ >= pause) say(bytes);
  }
  void end(std::uint64_t bytes) {
    if (report_) say(bytes);
  }

 private:
  static constexpr Millis pause{100};
  void say(std::uint64_t bytes) {
    last_ = Clock::now();
    report_({bytes, total_});
  }

  const std::function<void(const FetchProgress&)>& report_;
  std::optional<std::uint64_t> total_;
  TimePoint last_ = Clock::now();
};

std::unexpected<FetchError> too_large(const FetchRun& run) {
  return fail_fetch(Kind::too_large,
                    fmt::format("What {} sends is larger than {} bytes.", run.patience.peer(), run.request.max_bytes));
}

std::expected<std::uint64_t, FetchError> deliver(const FetchRun& run, FetchExchange& exchange, const FetchSink& sink) {
  const std::uint64_t most = run.request.max_bytes;
  if (most > 0 && exchange.announced().value_or(0) > most) return too_large(run);
  ProgressReport progress(run.request, exchange.announced());
  std::uint64_t bytes = 0;
  for (;;) {
    TRY(const std::string_view piece, exchange.next_piece());
    if (piece.empty()) break;
    bytes += piece.size();
    if (most > 0 && bytes > most) return too_large(run);
    if (auto taken = sink(piece); !taken) {
      const std::string text = fmt::format("What {} sends could not be taken: {}", run.patience.peer(), taken.error().detail);
      return std::unexpected(FetchError{Kind::sink, text, std::move(taken).error()});
    }
    progress.at(bytes);
  }
  progress.end(bytes);
  return bytes;
}

// The answer counts, so only being stopped is an error here.
std::expected<std::string, FetchError> read_refusal(FetchExchange& exchange) {
  constexpr std::size_t most = 64 * 1024;
  std::string refusal;
  while (refusal.size() < most) {
    const auto piece = exchange.next_piece();
    if (!piece && piece.error().kind == Kind::stopped) return std::unexpected(piece.error());
    if (!piece || piece->empty()) break;
    refusal += piece->substr(0, most - refusal.size());
  }
  return refusal;
}

std::expected<FetchAnswer, FetchError> answer(const FetchRun& run, const FetchStep& step, FetchExchange& exchange,
                                              ResponseHead head, const FetchSink& sink) {
  FetchAnswer answer{.status = head.status, .headers = std::move(head.headers), .url = step.url.text()};
  if (head.status / 100 == 2) {
    TRY(answer.bytes, deliver(run, exchange, sink));
  } else {
    TRY(answer.refusal, read_refusal(exchange));
  }
  return answer;
}

}  // namespace

std::string header_of(const FetchHeaders& headers, std::string_view name) {
  const std::string wanted = lower_case(name);
  const auto found = std::ranges::find(headers, wanted, &FetchHeaders::value_type::first);
  return found == headers.end() ? "" : found->second;
}

std::expected<FetchAnswer, FetchError> fetch(const FetchRequest& request, const FetchSink& sink,
                                             const Environment& environment) {
  FetchRun run{request, environment};
  TRY(FetchStep step, first_step(request));
  for (int redirects = 0;; ++redirects) {
    if (auto allowed = check_security(request, step.url); !allowed) return std::unexpected(std::move(allowed).error());
    FetchExchange exchange(run, step);
    TRY(ResponseHead head, exchange.ask());
    if (!is_redirect(head) && request.answered) request.answered(head.status);
    if (!is_redirect(head)) return answer(run, step, exchange, std::move(head), sink);
    if (request.more_body)
      return fail_fetch(Kind::protocol, fmt::format("{} redirects an upload, which is not followed.", step.url.endpoint()));
    if (redirects == request.max_redirects)
      return fail_fetch(Kind::protocol,
                        fmt::format("{} redirects once more after {} redirects.", step.url.endpoint(), redirects));
    TRY(FetchStep next, next_step(step, head));
    step = std::move(next);
  }
}

std::expected<FetchAnswer, FetchError> fetch(const FetchRequest& request, const FetchSink& sink) {
  return fetch(request, sink, [](std::string_view name) -> std::optional<std::string> {
    const char* const value = std::getenv(std::string(name).c_str());
    return value ? std::optional<std::string>(value) : std::nullopt;
  });
}

}  // namespace sa
