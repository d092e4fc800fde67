// What TLS connections of a fetch share: the authorities that are trusted and the rules. Verification is always on, TLS 1.2 is
// the least. Used by one thread.
#pragma once

#include <expected>
#include <memory>
#include <string>

#include "base/settings.h"

struct ssl_ctx_st;

namespace sa {

struct TlsContextFree {
  void operator()(ssl_ctx_st* context) const;
};
using TlsContext = std::unique_ptr<ssl_ctx_st, TlsContextFree>;

// Trusts what SSL_CERT_FILE and SSL_CERT_DIR name; without them what the distributions install. The error is a sentence.
std::expected<TlsContext, std::string> make_tls_context(const Environment& environment);

// Why OpenSSL's last call on this thread failed, in words; the caller cleared what was there before it.
std::string openssl_reason();

}  // namespace sa
