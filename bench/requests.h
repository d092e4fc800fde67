// The requests of the benchmark, as bytes on the wire.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bench {

// An ACP request whose id is a number of ten digits, so that all of them are equally long.
inline constexpr std::uint64_t first_id = 1'000'000'000;
inline constexpr std::string_view id_goes_after = R"({"jsonrpc":"2.0","id":)";

inline std::string prompt(std::uint64_t id, std::string_view text = "hello") {
  return std::string(id_goes_after) + std::to_string(id) +
         R"(,"method":"session/prompt","params":{"sessionId":"bench","prompt":[{"type":"text","text":")" + std::string(text) +
         R"("}]}})";
}

// Makes the echo agent say `count` messages of `bytes` bytes, then answer.
inline std::string notify(std::uint64_t id, int count, int bytes) {
  return std::string(id_goes_after) + std::to_string(id) + R"(,"method":"bench/notify","params":{"count":)" +
         std::to_string(count) + ",\"bytes\":" + std::to_string(bytes) + "}}";
}

// The head lines that curl sends with everything.
inline std::string head_start(std::string_view method, int port, std::string_view target) {
  return std::string(method) + " " + std::string(target) + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
         "\r\nUser-Agent: sandbox-bench/1\r\nAccept: */*\r\n";
}

inline std::string get(int port, std::string_view target) { return head_start("GET", port, target) + "\r\n"; }

// The head of a request with a body; `framing` says how long that is.
inline std::string head_of_upload(std::string_view method, int port, std::string_view target, std::string_view content_type,
                                  std::string_view framing) {
  return head_start(method, port, target) + "Content-Type: " + std::string(content_type) + "\r\n" + std::string(framing) +
         "\r\n\r\n";
}

inline std::string sized(std::uint64_t bytes) { return "Content-Length: " + std::to_string(bytes); }
inline constexpr std::string_view chunked = "Transfer-Encoding: chunked";

inline std::string post(int port, std::string_view target, std::string_view body) {
  return head_of_upload("POST", port, target, "application/json", sized(body.size())) + std::string(body);
}

inline std::string acp_target(std::string_view server_id) { return "/v1/acp/" + std::string(server_id) + "?agent=echo"; }

// `path` is absolute and needs no escapes.
inline std::string fs_target(std::string_view what, std::string_view path) {
  return "/v1/fs/" + std::string(what) + "?path=" + std::string(path);
}

}  // namespace bench
