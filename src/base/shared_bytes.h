// Bytes that somebody keeps alive: a view and its owner. Copying shares, never copies the bytes.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace sa {

struct SharedBytes {
  std::shared_ptr<const void> owner;
  std::string_view bytes;

  static SharedBytes own(std::string text) {
    auto owned = std::make_shared<const std::string>(std::move(text));
    std::string_view view = *owned;
    return {std::move(owned), view};
  }
};

}  // namespace sa
