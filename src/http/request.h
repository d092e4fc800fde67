// A request as handlers see it: plain views into the connection's head buffer, valid until the handler returns.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "http/body.h"
#include "http/client.h"

namespace sa {

struct Header {
  std::string_view name;
  std::string_view value;
};

struct Request {
  std::string_view method;
  std::string_view target;  // as sent
  std::string_view path;    // the target up to '?', still percent-encoded
  std::string_view query;   // after '?', still percent-encoded
  int minor_version = 1;    // of HTTP/1.x
  std::vector<Header> headers;
  std::vector<std::string> path_parameters;  // decoded, in the order of the route's pattern
  BodyReader* body = nullptr;
  Client* client = nullptr;

  // Forgets everything but its memory.
  void clear();

  // The value of a header field (name in any case), or an empty view.
  std::string_view header(std::string_view name) const;
  // The values of all header fields of this name, as the one list they stand for.
  std::string list_header(std::string_view name) const;
  std::size_t header_count(std::string_view name) const;

  // A decoded query parameter; of repeated ones the first counts. nullopt when absent; an error when its escapes are malformed.
  Result<std::optional<std::string>> query_parameter(std::string_view name) const;
  // "true" or "false", absent is false, anything else is an error that names the parameter.
  Result<bool> query_flag(std::string_view name) const;
};

bool equals_ignoring_case(std::string_view a, std::string_view b);
// Without blanks and tabs around it.
std::string_view trimmed(std::string_view text);

}  // namespace sa
