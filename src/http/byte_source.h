// A body that is made while it is sent, piece by piece, on worker threads. The connection sends it in chunks.
#pragma once

#include <string>

namespace sa {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Appends the next piece, some tens of KiB. False when it was the last one. Runs on a worker thread, one call at a time.
  virtual bool fill(std::string& piece) = 0;
};

}  // namespace sa
