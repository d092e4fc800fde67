// One HTTP/1.x request message: its head into a Request, its chunked body into bytes. Boost.Beast does the parsing and is seen
// nowhere else; what Beast is lenient about and a smuggler could use is refused here. Used by one connection: its head on
// the loop, its body wherever that is taken, never both at once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/request.h"

namespace sa {

enum class BodyKind : std::uint8_t { none, sized, chunked };

struct MessageFraming {
  BodyKind body = BodyKind::none;
  std::uint64_t content_length = 0;
  bool keep_alive = true;
  bool expects_continue = false;
};

class MessageParser {
 public:
  MessageParser();
  ~MessageParser();

  // `head` ends with the empty line and must stay alive as long as `request` is used.
  Result<MessageFraming> parse_head(std::string_view head, Request& request);

  struct Decoded {
    std::size_t consumed = 0;
    bool done = false;
  };
  // Decodes what is complete of a chunked body and appends it to `out`. Fields behind it are checked and thrown away. Only
  // after a head with BodyKind::chunked.
  Result<Decoded> decode_chunks(std::string_view bytes, std::string& out);

 private:
  class Beast;
  std::unique_ptr<Beast> beast_;
};

}  // namespace sa
