// An answer as handlers make it. The connection adds framing, Date and what HTTP itself needs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "base/shared_bytes.h"
#include "base/unique_fd.h"
#include "http/byte_source.h"
#include "http/event_stream.h"
#include "io/async_fd.h"

namespace sa {

// A part of an open file, sent by worker threads in constant memory. A file that shrinks meanwhile aborts the connection.
struct FileBody {
  UniqueFd fd;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

// After the head (normally 101) the connection is the callback's: the descriptor and the bytes already read from it.
struct Upgrade {
  std::function<void(AsyncFd socket, std::string already_read)> take_over;
};

struct Response {
  using Body = std::variant<std::monostate, std::string, SharedBytes, FileBody, std::unique_ptr<ByteSource>,
                            std::unique_ptr<EventStream>, Upgrade>;

  int status = 200;
  std::string_view content_type;  // a literal; empty when there is no body
  std::string headers;            // further lines, each "name: value\r\n"
  Body body;
  bool hung_up = false;  // the client is gone: nothing is sent

  Response& header(std::string_view name, std::string_view value);

  static Response empty(int status);
  static Response text(std::string text);
  static Response json(std::string document);
  static Response json(SharedBytes document);
  static Response events(std::unique_ptr<EventStream> stream);
  static Response client_gone();
};

// An error as a problem document: the one funnel from Error to what clients see.
std::string problem_document(const Error& error, std::string_view instance = {});
// The application/problem+json answer to it.
Response problem(const Error& error, std::string_view instance = {});

std::string_view reason_phrase(int status);

}  // namespace sa
