#include "acp.h"

#include <algorithm>

namespace rig {
namespace {

bool has_header(const Headers& headers, std::string_view name) {
  return std::any_of(headers.begin(), headers.end(), [&](const auto& h) { return h.first == name; });
}

}  // namespace

Connection Api::begin(std::string_view method, std::string_view target, Headers headers, std::string_view body) const {
  if (!token_.empty() && !has_header(headers, "Authorization")) {
    headers.emplace_back("Authorization", "Bearer " + token_);
  }
  std::erase_if(headers, [](const auto& header) { return header.first == "Authorization" && header.second.empty(); });
  Connection connection = connect();
  connection.send(http_request(method, target, headers, body));
  return connection;
}

Response Api::request(std::string_view method, std::string_view target, const Headers& headers, std::string_view body) const {
  return begin(method, target, headers, body).read_response(method == "HEAD");
}

boost::json::array Api::servers() const { return parse_json(get("/v1/acp").body).at("servers").as_array(); }

std::string Acp::target(std::string_view query) const {
  std::string out = "/v1/acp/" + percent_encoded(server_id_);
  return query.empty() ? out : out.append("?").append(query);
}

Connection Acp::begin_post(std::string_view body, Headers headers) const {
  if (!has_header(headers, "Content-Type")) headers.emplace_back("Content-Type", "application/json");
  return begin("POST", target(agent_.empty() ? "" : "agent=" + agent_), std::move(headers), body);
}

Response Acp::post(std::string_view body, const Headers& headers) const { return begin_post(body, headers).read_response(); }

Connection Acp::begin_call(std::string_view method, std::string_view params, std::string_view raw_id) {
  const auto id = raw_id.empty() ? std::to_string(next_id_++) : std::string(raw_id);
  return begin_post(rpc_request(id, method, params));
}

Response Acp::call(std::string_view method, std::string_view params, std::string_view raw_id) {
  return begin_call(method, params, raw_id).read_response();
}

Response Acp::notify(std::string_view method, std::string_view params) const { return post(rpc_notification(method, params)); }

SseStream Acp::stream(Headers headers, std::string_view query) const {
  std::uint64_t last_id = 0;
  for (const auto& [name, value] : headers) {
    if (name == "Last-Event-ID") last_id = std::strtoull(value.c_str(), nullptr, 10);
  }
  return SseStream(begin("GET", target(query), std::move(headers)), last_id);
}

SseStream Acp::stream_after(std::uint64_t last_id) const { return stream({{"Last-Event-ID", std::to_string(last_id)}}); }

SseStream Acp::narrow_stream(int receive_buffer) const {
  Connection connection(port_, receive_buffer);
  connection.send(http_request("GET", target(), {{"Authorization", "Bearer " + token_}}));
  return SseStream(std::move(connection), 0);
}

Response Acp::remove() const { return request("DELETE", target()); }

boost::json::object Acp::listing() const {
  for (const auto& entry : servers()) {
    if (entry.at("serverId").as_string() == server_id_) return entry.as_object();
  }
  return {};
}

std::int64_t Acp::listed(std::string_view member) const {
  const auto entry = listing();
  const auto* value = entry.if_contains(member);
  return value == nullptr || !value->is_number() ? -1 : value->to_number<std::int64_t>();
}

std::string rpc_request(std::string_view raw_id, std::string_view method, std::string_view params) {
  std::string out = R"({"jsonrpc":"2.0","id":)";
  return out.append(raw_id).append(R"(,"method":")").append(method).append(R"(","params":)").append(params).append("}");
}

std::string rpc_notification(std::string_view method, std::string_view params) {
  std::string out = R"({"jsonrpc":"2.0","method":")";
  return out.append(method).append(R"(","params":)").append(params).append("}");
}

std::string rpc_result(std::string_view raw_id, std::string_view result) {
  std::string out = R"({"jsonrpc":"2.0","id":)";
  return out.append(raw_id).append(R"(,"result":)").append(result).append("}");
}

std::string utterance(std::string_view bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string hex;
  for (const char c : bytes) {
    hex += digits[static_cast<unsigned char>(c) >> 4U];
    hex += digits[static_cast<unsigned char>(c) & 15U];
  }
  return rpc_notification("utter", R"({"hex":")" + hex + "\"}");
}

std::string percent_encoded(std::string_view text) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    if (plain) {
      out += c;
    } else {
      out += '%';
      out += digits[byte >> 4U];
      out += digits[byte & 15U];
    }
  }
  return out;
}

boost::json::value parse_json(std::string_view text) {
  boost::system::error_code failed;
  auto value = boost::json::parse({text.data(), text.size()}, failed);
  if (failed) throw std::runtime_error("not JSON: '" + std::string(text.substr(0, 200)) + "'");
  return value;
}

boost::json::value at_path(const boost::json::value& value, std::string_view path) {
  const boost::json::value* at = &value;
  while (!path.empty()) {
    const auto dot = path.find('.');
    const auto key = path.substr(0, dot);
    if (!at->is_object()) return nullptr;
    at = at->as_object().if_contains({key.data(), key.size()});
    if (at == nullptr) return nullptr;
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return *at;
}

std::string text_at(std::string_view json, std::string_view path) {
  const auto value = at_path(parse_json(json), path);
  return value.is_string() ? std::string(value.as_string().c_str(), value.as_string().size()) : "";
}

std::int64_t number_at(std::string_view json, std::string_view path) {
  const auto value = at_path(parse_json(json), path);
  return value.is_number() ? value.to_number<std::int64_t>() : -1;
}

std::string problem_of(const Response& response) try {
  const auto status = std::to_string(response.status);
  if (!response.header("content-type").starts_with("application/problem+json")) {
    return status + " with content type '" + response.header("content-type") + "' " + response.body.substr(0, 100);
  }
  const std::string type = text_at(response.body, "type");
  static constexpr std::string_view prefix = "urn:sandbox-agent:error:";
  if (!type.starts_with(prefix)) return "type is '" + type + "'";
  if (number_at(response.body, "status") != response.status) return "the member status differs from " + status;
  if (text_at(response.body, "title").empty()) return "no title";
  if (text_at(response.body, "detail").empty()) return "no detail";
  return status + " " + type.substr(prefix.size());
} catch (const std::exception& error) {
  return error.what();
}

}  // namespace rig
