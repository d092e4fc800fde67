// The answer to GET /v1/fs/entries: one JSON list, made while it is sent when it is long. Blocking: a worker thread.
#pragma once

#include "base/result.h"
#include "files/file_root.h"
#include "http/response.h"

namespace sa {

Result<Response> list_entries(const GuardedPath& directory);

}  // namespace sa
