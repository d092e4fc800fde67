#include "http/message_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <charconv>

namespace sa {

namespace beast = boost::beast;
using beast::error_code;
using beast::string_view;

namespace {

std::string_view view(string_view text) { return {text.data(), text.size()}; }

constexpr std::size_t longest_extension = 16 * 1024;  // of a chunk: nobody here needs one
constexpr std::size_t longest_trailers = 64 * 1024;   // fields behind a chunked body, all together
constexpr std::size_t shortest_chunked_body = std::string_view("0\r\n\r\n").size();

std::unexpected<Error> malformed(std::string_view what) {
  return fail(ErrorCode::invalid_request, fmt::format("The request is not well-formed HTTP/1.1: {}.", what));
}

// What Beast found, in words that help.
std::string_view in_words(const error_code& found) {
  struct Row {
    beast::http::error code;
    std::string_view words;
  };
  static constexpr Row rows[] = {
      {beast::http::error::bad_method, "the method must be a word such as GET"},
      {beast::http::error::bad_target, "the target must be a path such as /v1/health, blanks in it percent-encoded"},
      {beast::http::error::bad_version, "the first line must end with HTTP/1.1, and blanks in the path be percent-encoded"},
      {beast::http::error::bad_field, "a header field's name has a character it must not have"},
      {beast::http::error::bad_value, "a header field's value has a character it must not have"},
      {beast::http::error::bad_content_length,
       "Content-Length must be one plain number, and must not come together with Transfer-Encoding"},
      {beast::http::error::bad_transfer_encoding,
       "Transfer-Encoding must be exactly 'chunked', and must not come together with Content-Length"},
      {beast::http::error::bad_chunk, "a chunk of its body must be its size in hex, CRLF, that many bytes, CRLF"},
      {beast::http::error::bad_chunk_extension, "a chunk extension is broken"},
  };
  for (const auto& [code, words] : rows)
    if (found == code) return words;
  return "its head is broken";
}

// What Beast would let pass in lines: endings other than CRLF, and fields that are folded.
const char* find_lax_line(std::string_view lines) {
  if (lines[0] == ' ' || lines[0] == '\t') return "it starts with a blank";
  for (std::size_t at = 0; at < lines.size(); ++at) {
    const char c = lines[at];
    if (c == '\n') {
      if (at == 0 || lines[at - 1] != '\r') return "a line ends with a bare LF";
      if (at + 1 < lines.size() && (lines[at + 1] == ' ' || lines[at + 1] == '\t'))
        return "a header field is folded over two lines";
    } else if (c == '\r') {
      if (at + 1 >= lines.size() || lines[at + 1] != '\n') return "a CR stands alone";
    } else if (c == '\0') {
      return "it contains a NUL";
    }
  }
  return nullptr;
}

// The same, and targets beyond ASCII.
const char* find_laxness(std::string_view head) {
  if (const char* lax = find_lax_line(head)) return lax;
  const std::string_view line = head.substr(0, head.find('\r'));
  if (!std::ranges::all_of(line, [](char c) { return c >= 0x20 && c < 0x7f; })) return "the request line is not ASCII";
  return nullptr;
}

bool says_close(const Request& request) {
  return std::ranges::any_of(request.headers, [](const Header& field) {
    return equals_ignoring_case(field.name, "connection") && beast::http::token_list(string_view(field.value)).exists("close");
  });
}

// The rules that keep two parsers from seeing two different messages in the same bytes.
Result<MessageFraming> frame(const Request& request, bool keep_alive) {
  MessageFraming framing;
  framing.keep_alive =
      keep_alive && (request.minor_version == 1 || !says_close(request));  // Beast believes the keep-alive of 1.0
  framing.expects_continue = equals_ignoring_case(request.header("expect"), "100-continue");
  if (request.header_count("host") != 1) return malformed("it must have exactly one Host field");
  const std::size_t lengths = request.header_count("content-length");
  const std::size_t encodings = request.header_count("transfer-encoding");
  if (encodings > 0) {
    if (encodings > 1 || !equals_ignoring_case(request.header("transfer-encoding"), "chunked"))
      return malformed("Transfer-Encoding must be exactly 'chunked'");
    if (request.minor_version != 1) return malformed("Transfer-Encoding needs HTTP/1.1");
    if (lengths > 0) return malformed("Transfer-Encoding and Content-Length must not come together");
    framing.body = BodyKind::chunked;
  } else if (lengths > 0) {
    const std::string_view text = request.header("content-length");
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, framing.content_length);
    if (lengths > 1 || text.empty() || error != std::errc{} || stop != end)
      return malformed("Content-Length must be one plain number");
    if (framing.content_length > 0) framing.body = BodyKind::sized;
  }
  return framing;
}

// Without the port that http has anyway.
std::string_view without_usual_port(std::string_view authority) {
  const std::size_t colon = authority.rfind(':');
  if (colon == std::string_view::npos || (authority.substr(colon) != ":80" && authority.substr(colon) != ":")) return authority;
  const std::string_view host = authority.substr(0, colon);
  return host.ends_with(']') || !host.contains(':') ? host : authority;
}

// Splits the target; an absolute one ("GET http://host/path") must name the same host as the Host field, and may lack a path.
bool split_target(Request& request) {
  constexpr std::string_view scheme = "http://";
  std::string_view target = request.target;
  const bool absolute = equals_ignoring_case(target.substr(0, scheme.size()), scheme);
  if (absolute) {
    target.remove_prefix(scheme.size());
    const std::string_view authority = target.substr(0, target.find_first_of("/?#"));
    if (!equals_ignoring_case(without_usual_port(authority), without_usual_port(request.header("host")))) return false;
    target.remove_prefix(authority.size());
  } else if (!target.starts_with('/') && !(target == "*" && request.method == "OPTIONS")) {
    return false;
  }
  target = target.substr(0, target.find('#'));
  const std::size_t mark = target.find('?');
  request.path = target.substr(0, mark);
  if (request.path.empty()) request.path = "/";
  request.query = mark == std::string_view::npos ? std::string_view{} : target.substr(mark + 1);
  return true;
}

}  // namespace

class MessageParser::Beast : public beast::http::basic_parser<true> {
 public:
  explicit Beast(Request& request) : request_(&request) {
    header_limit(~std::uint32_t{0});
    body_limit(boost::none);
  }

  std::string* out = nullptr;
  bool body_begun = false;         // a chunk header was consumed
  const char* trailers = nullptr;  // where the fields behind the body begin, if there are any

 private:
  void on_request_impl(beast::http::verb, string_view method, string_view target, int version, error_code&) override {
    request_->method = view(method);
    request_->target = view(target);
    request_->minor_version = version - 10;
  }
  void on_field_impl(beast::http::field, string_view name, string_view value, error_code&) override {
    if (!is_header_done()) {
      request_->headers.push_back({view(name), view(value)});
    } else if (!trailers) {
      trailers = name.data();  // nobody here needs one
    }
  }
  void on_chunk_header_impl(std::uint64_t, string_view extension, error_code& error) override {
    // Beast lets anything stand in quotes, also a bare LF, which others take for the end of the line.
    const bool plain = std::ranges::all_of(extension, [](char c) { return c == '\t' || (c & 0xe0) != 0; });
    if (!plain || extension.size() > longest_extension) error = beast::http::error::bad_chunk_extension;
  }
  std::size_t on_chunk_body_impl(std::uint64_t, string_view body, error_code&) override {
    out->append(body.data(), body.size());
    return body.size();
  }
  std::size_t on_body_impl(string_view body, error_code&) override { return body.size(); }
  void on_response_impl(int, string_view, int, error_code&) override {}
  void on_header_impl(error_code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  void on_finish_impl(error_code&) override {}

  Request* request_;
};

MessageParser::MessageParser() = default;
MessageParser::~MessageParser() = default;

Result<MessageFraming> MessageParser::parse_head(std::string_view head, Request& request) {
  if (const char* laxness = find_laxness(head)) return malformed(laxness);
  if (beast_) {
    std::destroy_at(beast_.get());
    std::construct_at(beast_.get(), request);
  } else {
    beast_ = std::make_unique<Beast>(request);
  }
  error_code error;
  beast_->put(boost::asio::const_buffer(head.data(), head.size()), error);
  if (error && error != beast::http::error::need_more) return malformed(in_words(error));
  if (!beast_->is_header_done()) return malformed("its head is incomplete");
  if (!split_target(request)) return malformed("the target must be a path such as /v1/health, on the host that Host names");
  return frame(request, beast_->keep_alive());
}

Result<MessageParser::Decoded> MessageParser::decode_chunks(std::string_view bytes, std::string& out) {
  if (!beast_) return malformed("its chunked body is broken");
  beast_->eager(true);
  beast_->out = &out;
  Decoded decoded;
  while (decoded.consumed < bytes.size() && !beast_->is_done()) {
    const std::string_view rest = bytes.substr(decoded.consumed);
    // Beast insists on five bytes of an empty body once it has seen three of them.
    if (!beast_->body_begun && rest[0] == '0' && rest.size() < shortest_chunked_body) break;
    error_code error;
    const std::size_t used = beast_->put(boost::asio::const_buffer(rest.data(), rest.size()), error);
    decoded.consumed += used;
    if (used > 0) beast_->body_begun = true;
    if (error == beast::http::error::need_more || (!error && used == 0)) break;
    const char* wrong = nullptr;
    if (!error && beast_->trailers) {
      const std::string_view trailers(beast_->trailers, static_cast<std::size_t>(rest.data() + used - beast_->trailers));
      wrong = trailers.size() > longest_trailers ? "the fields behind its chunked body are too long" : find_lax_line(trailers);
    }
    if (error || wrong) {
      beast_.reset();  // it must not be fed again
      return malformed(error ? in_words(error) : wrong);
    }
  }
  decoded.done = beast_->is_done();
  return decoded;
}

}  // namespace sa
