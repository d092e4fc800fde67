#include "io/basic_credentials.h"

#include <openssl/evp.h>

#include "base/percent.h"

namespace sa {
namespace {

std::string base64(std::string_view bytes) {
  std::string out((bytes.size() + 2) / 3 * 4 + 1, '\0');  // EVP_EncodeBlock ends it with a NUL
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                   reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  out.resize(static_cast<std::size_t>(size));
  return out;
}

}  // namespace

std::optional<std::string> basic_credentials(std::string_view userinfo) {
  auto plain = percent_decode(userinfo);
  if (!plain) return std::nullopt;
  if (!userinfo.contains(':')) *plain += ':';
  return "Basic " + base64(*plain);
}

}  // namespace sa
