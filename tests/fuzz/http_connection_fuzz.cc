// The first two bytes cut the rest, which a client sends over a real socket, each piece after the one before was read. Held:
// requests, bodies and answers are the same as when all comes at once, also when bodies are pulled as uploads are, and the
// connection always ends. Only a refusal may come sooner or later: what is noticed first depends on what has come.
// Inputs: at most 384 bytes.
#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "fuzz_input.h"
#include "http/connection.h"

namespace sa::fuzz {
namespace {

enum class Reading : bool { on_the_loop, pulled };

Task<Result<std::string>> read_body(BodyReader& body, Reading reading) {
  if (reading == Reading::on_the_loop) co_return co_await body.all();
  std::string all;
  if (auto begun = co_await body.begin(); !begun) co_return std::unexpected(begun.error());
  for (;;) {
    const Result<std::string_view> piece = body.pull();
    if (!piece) co_return std::unexpected(piece.error());
    if (piece->empty()) co_return all;
    all.append(*piece);
  }
}

Task<Response> record(Request& request, std::string& seen, Reading reading) {
  seen.append(request.method).append(" ").append(request.target).append("\n");
  for (const Header& field : request.headers) seen.append(field.name).append(": ").append(field.value).append("\n");
  const auto body = co_await read_body(*request.body, reading);
  if (!body) {
    seen.append("error\n");  // which one, that its end or that its time came, depends on the reading
    co_return problem(body.error());
  }
  seen.append(*body).append("\n");
  co_return Response::empty(202);
}

struct Conversation {
  std::string requests;  // as the application saw them
  std::string answers;   // the first digit of each status; an interim 100 depends on whether it was worth sending

  bool refused() const { return answers.contains('4'); }
  bool operator==(const Conversation&) const = default;
};

// True when the shorter one is the beginning of the longer.
bool agree(std::string_view a, std::string_view b) { return a.starts_with(b) || b.starts_with(a); }

class Host {
 public:
  Host() : context_(loop_, pool_, limits()) {
    context_.settings.body_timeout = Millis(1);  // of a pull, which waits for what does not come
    context_.application = [this](Request& request, std::uint64_t&) { return record(request, seen_, reading_); };
  }

  Conversation serve(const std::vector<std::string_view>& pieces, Reading reading = Reading::on_the_loop) {
    int ends[2];
    hold(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0, "there is a socket");
    const UniqueFd client(ends[0]);
    seen_.clear();
    reading_ = reading;
    bool ended = false;
    spawn(Connection::serve(std::make_unique<Connection>(context_, AsyncFd(loop_, UniqueFd(ends[1]))),
                            [&](Connection&) { ended = true; }));
    for (const std::string_view piece : pieces) {
      if (::send(client.get(), piece.data(), piece.size(), MSG_NOSIGNAL) < 0) break;  // it has closed
      settle();
    }
    ::shutdown(client.get(), SHUT_WR);
    settle();
    hold(ended, "the connection ends when its client does");
    return {seen_, statuses(read_all(client.get()))};
  }

 private:
  static HttpLimits limits() {
    HttpLimits limits;
    limits.max_head_bytes = 512;
    return limits;
  }

  void settle() { loop_.poll(); }

  static std::string read_all(int fd) {
    std::string all;
    char buffer[16384];
    for (ssize_t n = 0; (n = ::read(fd, buffer, sizeof buffer)) > 0;) all.append(buffer, static_cast<std::size_t>(n));
    return all;
  }

  static std::string statuses(std::string_view answers) {
    constexpr std::string_view kStart = "HTTP/1.1 ";
    std::string out;
    for (std::size_t at = 0; (at = answers.find(kStart, at)) != answers.npos; at += kStart.size()) {
      const std::string_view status = answers.substr(at + kStart.size(), 1);
      if (status != "1") out += status;
    }
    return out;
  }

  std::string seen_;
  Reading reading_ = Reading::on_the_loop;
  Loop loop_;
  WorkerPool pool_{loop_};
  HttpContext context_;
};

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sa::fuzz;
  static Host host;
  const CutInput input(text_of(data, size));
  const auto pieces = input.few(8);
  const Conversation whole = host.serve({input.whole});
  if (whole.requests.starts_with("PUT ")) {
    const Conversation pulled = host.serve({input.whole}, Reading::pulled);
    hold(pulled == whole || pulled.refused(), "what is seen does not depend on who reads the body");
    hold(agree(pulled.requests, whole.requests), "a refusal only ends a conversation");
  }
  if (pieces.size() < 2) return 0;
  const Conversation cut = host.serve(pieces);
  hold(cut == whole || cut.refused() || whole.refused(), "what is seen does not depend on how the bytes were cut");
  hold(agree(cut.requests, whole.requests), "a refusal only ends a conversation");
  return 0;
}
