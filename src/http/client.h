// The client at the other end of a request, for handlers that wait: lets them notice a hang-up instead of waiting for nobody.
// Lives as long as the request. Loop thread only.
#pragma once

#include "io/signal.h"

namespace sa {

class Client {
 public:
  virtual ~Client() = default;
  // True when the client has hung up. While it has not, `wake` is notified when that may have changed: ask again then.
  virtual bool gone(Signal& wake) = 0;
};

}  // namespace sa
