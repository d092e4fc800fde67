// What /ui/ answers, given the files of the page. Pure functions; the bodies are views into the files, which live as long as
// the process.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "api/ui_files.h"
#include "http/request.h"
#include "http/response.h"

namespace sa {

// The file at `path` (below /ui/, decoded). A path that is no file and not below assets/ is a place within the page: the page
// itself. Without files: a short page that says so.
Response ui_answer(std::span<const UiFile> files, std::string_view path, const Request& request);

// From /ui to /ui/.
Response ui_redirect();

// Whether an Accept-Encoding value likes gzip at least as much as plain bytes. Without one, plain bytes are meant.
bool prefers_gzip(std::string_view accept_encoding);

// The bytes of a file, unpacked.
std::string unpacked(const UiFile& file);

}  // namespace sa
