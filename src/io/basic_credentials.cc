#include "io/basic_credentials.h"

#include <openssl/evp.h>

#include <charconv>

namespace sa {
namespace {

std::optional<std::string> undo_escapes(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    const std::string_view digits = text.substr(at + 1, 2);
    unsigned char byte = 0;
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (failed != std::errc() || digits.size() != 2 || end != digits.data() + 2) return std::nullopt;
    out += static_cast<char>(byte);
    at += 2;
  }
  return out;
}

std::string base64(std::string_view bytes) {
  std::string out((bytes.size() + 2) / 3 * 4 + 1, '\0');  // EVP_EncodeBlock ends it with a NUL
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                   reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  out.resize(static_cast<std::size_t>(size));
  return out;
}

}  // namespace

std::optional<std::string> basic_credentials(std::string_view userinfo) {
  auto plain = undo_escapes(userinfo);
  if (!plain) return std::nullopt;
  if (!userinfo.contains(':')) *plain += ':';
  return "Basic " + base64(*plain);
}

}  // namespace sa
