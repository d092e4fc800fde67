#include "http/response.h"

#include "base/utf8.h"

namespace sa {
namespace {

constexpr std::size_t usual_header_bytes = 96;

}  // namespace

Response& Response::header(std::string_view name, std::string_view value) {
  if (headers.empty()) headers.reserve(usual_header_bytes);
  headers.append(name).append(": ").append(value).append("\r\n");
  return *this;
}

Response Response::empty(int status) {
  Response response;
  response.status = status;
  return response;
}

Response Response::text(std::string text) {
  Response response;
  response.content_type = "text/plain; charset=utf-8";
  response.header("x-content-type-options", "nosniff");  // it may be what an agent wrote
  response.body = std::move(text);
  return response;
}

Response Response::json(std::string document) {
  Response response;
  response.content_type = "application/json";
  response.body = std::move(document);
  return response;
}

Response Response::json(SharedBytes document) {
  Response response;
  response.content_type = "application/json";
  response.body = std::move(document);
  return response;
}

Response Response::events(std::unique_ptr<EventStream> stream) {
  Response response;
  response.content_type = "text/event-stream";
  response.header("cache-control", "no-cache").header("x-accel-buffering", "no");
  response.body = std::move(stream);
  return response;
}

Response Response::client_gone() {
  Response response;
  response.hung_up = true;
  return response;
}

std::string problem_document(const Error& error, std::string_view instance) {
  const ErrorRow& row = error_row(error.code);
  std::string document = "{\"type\":\"urn:sandbox-agent:error:";
  document.append(row.word).append("\",\"title\":");
  append_json_string(document, row.title);
  document.append(",\"status\":").append(std::to_string(row.status)).append(",\"detail\":");
  append_json_string(document, error.detail);
  if (!instance.empty()) {
    document += ",\"instance\":";
    append_json_string(document, instance);
  }
  for (const ErrorExtra& extra : error.extras) {
    document += ',';
    append_json_string(document, extra.name);
    document.append(":").append(extra.json);
  }
  return document + '}';
}

Response problem(const Error& error, std::string_view instance) {
  const ErrorRow& row = error_row(error.code);
  Response response;
  response.status = row.status;
  response.content_type = "application/problem+json";
  response.body = problem_document(error, instance);
  if (row.status == 401) response.header("www-authenticate", "Bearer");
  if (row.status == 503) response.header("retry-after", "1");
  return response;
}

std::string_view reason_phrase(int status) {
  switch (status) {
    case 101: return "Switching Protocols";
    case 200: return "OK";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 206: return "Partial Content";
    case 302: return "Found";
    case 304: return "Not Modified";
    case 308: return "Permanent Redirect";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 410: return "Gone";
    case 412: return "Precondition Failed";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 415: return "Unsupported Media Type";
    case 416: return "Range Not Satisfiable";
    case 422: return "Unprocessable Content";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    case 507: return "Insufficient Storage";
    default: return "Unknown";
  }
}

}  // namespace sa
