// The files of the inspector page as they lie in the binary, packed with gzip. The table is made with the page
// (scripts/build-inspector); a build without the page has an empty one. Everything lives as long as the process.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace sa {

struct UiFile {
  std::string_view path;        // below /ui/, such as "index.html" or "assets/index-1a2b3c.js"
  std::string_view media_type;  // as Content-Type says it
  std::string_view etag;        // of its bytes as they are, with its quotes
  std::string_view gzip_etag;   // of its packed bytes
  std::string_view gzip;        // its packed bytes
  std::size_t size = 0;         // of its bytes unpacked
  bool immutable = false;       // its name changes with its content
};

std::span<const UiFile> ui_files();

}  // namespace sa
