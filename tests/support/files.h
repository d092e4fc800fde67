// The file API as a client sees it: one method per route. Paths are any bytes and go out percent-escaped. Each request has a
// connection of its own. Any thread, as long as the daemon lives.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acp.h"

namespace rig {

class Files {
 public:
  explicit Files(const Daemon& daemon) : Files(daemon.port(), daemon.token()) {}
  Files(std::uint16_t port, std::string token) : port_(port), token_(std::move(token)) {}

  Response list(std::string_view path) const { return request("GET", target("entries", path)); }
  Response stat(std::string_view path) const { return request("GET", target("stat", path)); }
  Response download(std::string_view path, const Headers& headers = {}) const {
    return request("GET", target("file", path), headers);
  }
  Response head(std::string_view path, const Headers& headers = {}) const {
    return request("HEAD", target("file", path), headers);
  }
  Response upload(std::string_view path, std::string_view content, const Headers& headers = {}) const {
    return request("PUT", target("file", path), headers, content);
  }
  Response remove(std::string_view path) const { return request("DELETE", target("entry", path)); }
  Response remove_tree(std::string_view path) const { return request("DELETE", target("entry", path) + "&recursive=true"); }
  Response make_directory(std::string_view path) const { return request("POST", target("mkdir", path)); }
  Response move(std::string_view from, std::string_view to) const { return post_move({{"from", from}, {"to", to}}); }
  Response move_over(std::string_view from, std::string_view to) const {
    return post_move({{"from", from}, {"to", to}, {"overwrite", true}});
  }
  Response post_move(const boost::json::value& body) const;
  Response unpack(std::string_view path, std::string_view archive) const { return begin_unpack(path, archive).read_response(); }

  // An upload whose head is sent, with what is given of its body; `size` bytes are announced.
  Connection begin_upload(std::string_view path, std::size_t size, std::string_view start = {}, Headers headers = {}) const;
  Connection begin_unpack(std::string_view path, std::string_view archive) const;
  // An archive of `size` bytes of which only the start is sent.
  Connection begin_unpack(std::string_view path, std::size_t size, std::string_view start) const;
  // A download on a connection with a small receive buffer, so that not reading it is felt soon.
  Connection narrow_download(std::string_view path) const;

  Connection begin(std::string_view method, std::string_view target, Headers headers = {}, std::string_view body = {},
                   int receive_buffer = 0) const;
  Response request(std::string_view method, std::string_view target, const Headers& headers = {},
                   std::string_view body = {}) const;
  static std::string target(std::string_view route, std::string_view path) { return raw_target(route, percent_encoded(path)); }
  static std::string raw_target(std::string_view route, std::string_view escaped);

 private:
  std::uint16_t port_;
  std::string token_;
};

// Every way to name one path, with its answer: "stat" -> Response. The escaped path goes into queries as it stands; the two
// ways of a move carry the plain text and are left out when that is empty.
std::vector<std::pair<std::string, Response>> every_route(const Files& files, std::string_view escaped, std::string_view plain);

// The names of a listing, in its order.
std::vector<std::string> names_in(const Response& listing);
// The entry of that name; null if it is not listed.
boost::json::value entry_in(const Response& listing, std::string_view name);
// The texts of an array such as the paths of an unpacked archive, without slashes at their ends.
std::vector<std::string> texts_at(std::string_view json, std::string_view path);
// The name of the field a problem is about.
inline std::string field_of(const Response& response) { return text_at(response.body, "field"); }

}  // namespace rig
