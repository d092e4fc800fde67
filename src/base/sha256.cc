#include "base/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <cstdlib>

#include "base/openssl_start.h"

namespace sa {

void Sha256::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Sha256::Sha256() {
  start_openssl();
  context_.reset(EVP_MD_CTX_new());
  if (!context_ || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1) std::abort();
}

void Sha256::add(std::string_view bytes) { EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()); }

std::string Sha256::hex() {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_DigestFinal_ex(context_.get(), digest, &size);
  std::string text;
  for (unsigned int i = 0; i < size; ++i) fmt::format_to(std::back_inserter(text), "{:02x}", digest[i]);
  return text;
}

bool is_sha256(std::string_view text) {
  constexpr std::size_t digits = 64;
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); };
  return text.size() == digits && std::ranges::all_of(text, is_digit);
}

}  // namespace sa
