// What the entries of a config file are: its vocabulary. Plain data; lives as long as the process.
#pragma once

#include <boost/json/fwd.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sa {

struct EntryKind {
  std::string_view file;      // the file's name
  std::string_view resource;  // what one entry is called
  // The entry as JSON in canonical spelling; unprocessable when its shape is wrong.
  Result<std::string> (*canonical)(const boost::json::value& entry);
};

}  // namespace sa
