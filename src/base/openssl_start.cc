#include "base/openssl_start.h"

#include <openssl/crypto.h>

namespace sa {

void start_openssl() { OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT, nullptr); }

}  // namespace sa
