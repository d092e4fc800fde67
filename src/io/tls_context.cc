#include "io/tls_context.h"
#include "base/openssl_start.h"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <unistd.h>

namespace sa {
namespace {

// Debian and Arch; Fedora and Red Hat; SUSE; Alpine and the BSDs.
constexpr const char* usual_files[] = {"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
                                       "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"};
constexpr const char* usual_folder = "/etc/ssl/certs";

using Loaded = std::expected<void, std::string>;

Loaded load_named(SSL_CTX* context, const std::optional<std::string>& file, const std::optional<std::string>& folder) {
  if (file && SSL_CTX_load_verify_file(context, file->c_str()) != 1)
    return std::unexpected(fmt::format("The certificates in {} (SSL_CERT_FILE) cannot be used: {}.", *file, openssl_reason()));
  if (folder && SSL_CTX_load_verify_dir(context, folder->c_str()) != 1)
    return std::unexpected(fmt::format("The certificates in {} (SSL_CERT_DIR) cannot be used: {}.", *folder, openssl_reason()));
  return {};
}

Loaded load_usual(SSL_CTX* context) {
  for (const char* file : usual_files)
    if (::access(file, R_OK) == 0 && SSL_CTX_load_verify_file(context, file) == 1) return {};
  if (::access(usual_folder, R_OK | X_OK) == 0 && SSL_CTX_load_verify_dir(context, usual_folder) == 1) return {};
  return std::unexpected(
      "There are no certificates to verify https with; install the package ca-certificates, or set SSL_CERT_FILE to a file of "
      "them.");
}

Loaded load_authorities(SSL_CTX* context, const Environment& environment) {
  const auto named = [&](const char* name) {
    auto value = environment(name);
    return value && value->empty() ? std::nullopt : value;
  };
  const auto file = named("SSL_CERT_FILE");
  const auto folder = named("SSL_CERT_DIR");
  return file || folder ? load_named(context, file, folder) : load_usual(context);
}

}  // namespace

void TlsContextFree::operator()(ssl_ctx_st* context) const { SSL_CTX_free(context); }

std::string openssl_reason() {
  if (const unsigned long first = ERR_peek_error(); ERR_SYSTEM_ERROR(first)) return errno_text(ERR_GET_REASON(first));
  const char* const reason = ERR_reason_error_string(ERR_peek_last_error());
  return reason ? reason : "unknown reason";
}

std::expected<TlsContext, std::string> make_tls_context(const Environment& environment) {
  start_openssl();
  ERR_clear_error();
  TlsContext context(SSL_CTX_new(TLS_client_method()));
  if (!context) return std::unexpected("TLS cannot be used: " + openssl_reason() + ".");
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_mode(context.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_AUTO_RETRY);
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  if (auto loaded = load_authorities(context.get(), environment); !loaded) return std::unexpected(std::move(loaded).error());
  return context;
}

}  // namespace sa
