#include "api/ui_answer.h"

#include <zlib.h>

#include <algorithm>

#include "http/conditional.h"
#include "http/media_type.h"

namespace sa {
namespace {

constexpr std::size_t longest_echo = 256;  // of a path, in problems about it
constexpr std::string_view html = "text/html; charset=utf-8";

// With every answer. The page loads nothing from elsewhere, runs no inline script, and nobody may frame it.
constexpr std::string_view guards =
    "content-security-policy: default-src 'self'; connect-src 'self'; img-src 'self' data: blob:; object-src 'none'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'\r\n"
    "referrer-policy: no-referrer\r\n"
    "x-content-type-options: nosniff\r\n";

constexpr std::string_view no_page = R"(<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Sandbox Agent</title>
<h1>Sandbox Agent is running</h1>
<p>This build has no inspector page. The API is at <code>/v1</code>; try:</p>
<pre>curl -H "Authorization: Bearer $TOKEN" &lt;this address&gt;/v1/health</pre>
</html>
)";

SharedBytes view_of(std::string_view bytes) { return {nullptr, bytes}; }

Response say_no_page() {
  Response response;
  response.content_type = html;
  response.headers = guards;
  response.header("cache-control", "no-store");
  response.body = view_of(no_page);
  return response;
}

Response say_no_file(const Request& request) {
  const std::string_view path = request.path.substr(0, longest_echo);
  Response response =
      problem(Error{ErrorCode::not_found, "The inspector has no such file. If a page asked for it, reload that page.", {}}
                  .with_text("resource", "file")
                  .with_text("id", path),
              path);
  response.headers += guards;
  response.header("cache-control", "no-store");
  return response;
}

Response send_file(const UiFile& file, const Request& request) {
  const bool packed = prefers_gzip(request.list_header("accept-encoding"));
  const std::string_view etag = packed ? file.gzip_etag : file.etag;
  Response response;
  response.headers = guards;
  response.header("cache-control", file.immutable ? "public, max-age=31536000, immutable" : "no-cache");
  response.header("etag", etag).header("vary", "Accept-Encoding");
  if (lists_etag(request.list_header("if-none-match"), etag, Comparison::weak)) {
    response.status = 304;
    return response;
  }
  response.content_type = file.media_type;
  if (packed) {
    response.header("content-encoding", "gzip");
    response.body = view_of(file.gzip);
  } else {
    response.body = unpacked(file);
  }
  return response;
}

}  // namespace

bool prefers_gzip(std::string_view accept_encoding) {
  if (trimmed(accept_encoding).empty()) return false;
  const int gzip = quality(accept_encoding, "gzip");
  return gzip > 0 && gzip >= quality(accept_encoding, "identity");
}

std::string unpacked(const UiFile& file) {
  constexpr int with_gzip_header = 16;
  std::string bytes(file.size, '\0');
  z_stream stream{};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(file.gzip.data()));
  stream.avail_in = static_cast<uInt>(file.gzip.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  ::inflateInit2(&stream, MAX_WBITS + with_gzip_header);
  ::inflate(&stream, Z_FINISH);
  ::inflateEnd(&stream);
  return bytes;
}

Response ui_answer(std::span<const UiFile> files, std::string_view path, const Request& request) {
  if (files.empty()) return say_no_page();
  auto file = std::ranges::find(files, path, &UiFile::path);
  if (file == files.end() && path.starts_with("assets/")) return say_no_file(request);
  if (file == files.end()) file = std::ranges::find(files, "index.html", &UiFile::path);
  return send_file(*file, request);
}

Response ui_redirect() {
  Response response = Response::empty(308);
  response.headers = guards;
  response.header("location", "/ui/");
  return response;
}

}  // namespace sa
