// The file of an EntryStore: an object of objects. Blocking; any thread.
#pragma once

#include <boost/json.hpp>

#include "files/resolve.h"

namespace sa {

// config_corrupt, with `path`. `why` goes on after "it": "is not JSON".
Error corrupt(std::string_view path, std::string_view why);

// All entries; none when there is no file. config_corrupt for what is not an object of objects.
Result<boost::json::object> read_entries(const GuardedPath& file);

// Entries that are to be written again: their numbers are marked strings (base/json_numbers.h), so that they keep their text.
struct MarkedEntries {
  boost::json::object entries;
  std::string mark;
};
Result<MarkedEntries> read_marked_entries(const Place& file);

// The whole file anew, pretty-printed; a new one is for its owner only. payload_too_large beyond what would be read again.
Result<void> write_entries(Place file, MarkedEntries content);

}  // namespace sa
