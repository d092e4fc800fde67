#include "files.h"

#include "tar_writer.h"

namespace rig {

std::string Files::raw_target(std::string_view route, std::string_view escaped) {
  return std::string("/v1/fs/").append(route).append("?path=").append(escaped);
}

Connection Files::begin(std::string_view method, std::string_view target, Headers headers, std::string_view body,
                        int receive_buffer) const {
  if (!token_.empty()) headers.emplace_back("Authorization", "Bearer " + token_);
  Connection connection(port_, receive_buffer);
  connection.send(http_request(method, target, headers, body));
  return connection;
}

Response Files::request(std::string_view method, std::string_view target, const Headers& headers, std::string_view body) const {
  return begin(method, target, headers, body).read_response(method == "HEAD");
}

Response Files::post_move(const boost::json::value& body) const {
  return request("POST", "/v1/fs/move", {{"Content-Type", "application/json"}}, boost::json::serialize(body));
}

Connection Files::begin_upload(std::string_view path, std::size_t size, std::string_view start, Headers headers) const {
  headers.emplace_back("Content-Length", std::to_string(size));
  return begin("PUT", target("file", path), std::move(headers), start);
}

Connection Files::begin_unpack(std::string_view path, std::string_view archive) const {
  return begin_unpack(path, archive.size(), archive);
}

Connection Files::begin_unpack(std::string_view path, std::size_t size, std::string_view start) const {
  return begin("POST", target("upload-batch", path),
               {{"Content-Type", "application/x-tar"}, {"Content-Length", std::to_string(size)}}, start);
}

Connection Files::narrow_download(std::string_view path) const { return begin("GET", target("file", path), {}, {}, 4096); }

std::vector<std::pair<std::string, Response>> every_route(const Files& files, std::string_view escaped,
                                                          std::string_view plain) {
  const auto archive = tar_of("unpacked", "from an archive");
  const Headers tar = {{"Content-Type", "application/x-tar"}};
  std::vector<std::pair<std::string, Response>> answers = {
      {"entries", files.request("GET", Files::raw_target("entries", escaped))},
      {"stat", files.request("GET", Files::raw_target("stat", escaped))},
      {"download", files.request("GET", Files::raw_target("file", escaped))},
      {"range", files.request("GET", Files::raw_target("file", escaped), {{"Range", "bytes=0-9"}})},
      {"upload", files.request("PUT", Files::raw_target("file", escaped), {}, "uploaded")},
      {"mkdir", files.request("POST", Files::raw_target("mkdir", escaped))},
      {"upload-batch", files.request("POST", Files::raw_target("upload-batch", escaped), tar, archive)},
  };
  if (!plain.empty()) {
    answers.emplace_back("move from", files.move_over(plain, "moved-here"));
    answers.emplace_back("move to", files.move_over("movable", plain));
  }
  answers.emplace_back("delete", files.request("DELETE", Files::raw_target("entry", escaped)));
  answers.emplace_back("delete recursively", files.request("DELETE", Files::raw_target("entry", escaped) + "&recursive=true"));
  return answers;
}

std::vector<std::string> names_in(const Response& listing) {
  std::vector<std::string> names;
  for (const auto& entry : parse_json(listing.body).as_array()) names.emplace_back(entry.at("name").as_string());
  return names;
}

boost::json::value entry_in(const Response& listing, std::string_view name) {
  for (const auto& entry : parse_json(listing.body).as_array()) {
    if (std::string_view(entry.at("name").as_string()) == name) return entry;
  }
  return nullptr;
}

std::vector<std::string> texts_at(std::string_view json, std::string_view path) {
  std::vector<std::string> texts;
  for (const auto& text : at_path(parse_json(json), path).as_array()) {
    texts.emplace_back(text.as_string());
    while (texts.back().ends_with('/')) texts.back().pop_back();
  }
  return texts;
}

}  // namespace rig
