// One outgoing HTTP(S) request. Blocking: for a worker thread, or for a command that does nothing else; a thread per call,
// nothing shared. https is verified against the system's certificates (or SSL_CERT_FILE, SSL_CERT_DIR), proxies are taken from
// the environment (https_proxy, http_proxy, all_proxy, no_proxy, in either case). Memory does not depend on the answer's size,
// nor on that of a body that comes from a source.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/settings.h"
#include "base/stop_flag.h"

namespace sa {

using FetchHeaders = std::vector<std::pair<std::string, std::string>>;      // names of an answer are in lower case
std::string header_of(const FetchHeaders& headers, std::string_view name);  // empty without

struct FetchProgress {
  std::uint64_t bytes = 0;             // of the body, so far
  std::optional<std::uint64_t> total;  // when the server said so
};

// The next piece of a request's body; empty at its end.
using FetchSource = std::function<Result<std::string>()>;

struct FetchRequest {
  std::string method = "GET";
  std::string url;  // http:// or https://
  FetchHeaders headers{};
  std::string body{};
  FetchSource more_body{};                     // instead of `body`: asked while it is sent, once; redirects are an error
  std::optional<std::uint64_t> body_length{};  // of what it gives; in chunks when that is not known
  Millis connect_timeout{15'000};  // name, connection and TLS, for each redirect; of each of these three 0 is for none
  Millis idle_timeout{30'000};     // without a byte
  Millis total_timeout{0};         // of all of it
  std::uint64_t max_bytes = 0;     // of the body; 0 for any
  int max_redirects = 10;
  bool secure_only = false;  // http only from this machine itself (127.0.0.0/8, ::1, localhost), also after redirects
  std::function<void(const FetchProgress&)> progress{};
  std::function<void(int status)> answered{};  // the head of the answer is there; the body may last
  const StopFlag* stop = nullptr;              // becomes true: the fetch ends within 100 ms
};

struct FetchAnswer {
  int status = 0;
  FetchHeaders headers{};
  std::string url;          // where the answer came from in the end, without credentials
  std::uint64_t bytes = 0;  // of the body, as the sink got them
  std::string refusal;      // of the body of an answer that is not 2xx: at most its first 64 KiB
  std::string header(std::string_view name) const { return header_of(headers, name); }
};

struct FetchError {
  enum class Kind : std::uint8_t {
    bad_url,   // the URL or a redirect's cannot be used
    insecure,  // http where https is asked for
    resolve,   // no such host
    connect,   // nobody there, or the proxy refuses
    tls,       // certificates, protocol
    timed_out,
    too_large,
    cut_short,  // the answer ended before its end
    protocol,   // not HTTP, too many redirects, or a request that cannot be sent
    sink,       // the receiver refused: `cause` says why
    source,     // the body could not be had: `cause` says why
    stopped,
  };
  Kind kind{};
  std::string text;            // one sentence with host and reason, without credentials
  std::optional<Error> cause;  // of `sink` and `source`
};

// Takes the next piece of a successful (2xx) answer's body.
using FetchSink = std::function<Result<void>(std::string_view bytes)>;

// An answer of any status is an answer; the sink gets nothing of one that is not 2xx.
std::expected<FetchAnswer, FetchError> fetch(const FetchRequest& request, const FetchSink& sink);

// The same with other variables than those of the process.
std::expected<FetchAnswer, FetchError> fetch(const FetchRequest& request, const FetchSink& sink,
                                             const Environment& environment);

}  // namespace sa
