// SHA-256, piece by piece. A value that cannot be copied; one thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace sa {

class Sha256 {
 public:
  Sha256();
  void add(std::string_view bytes);
  std::string hex();  // of all that was added; ends it

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

// 64 hexadecimal digits, in either case.
bool is_sha256(std::string_view text);

}  // namespace sa
