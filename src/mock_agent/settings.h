// What a client can choose per session: mode, model, level of thought. One table (settings.cc) feeds the ACP modes and
// the config options, so that the two never disagree. A value; every Session has one.
#pragma once

#include <array>
#include <cstddef>
#include <expected>
#include <string_view>

#include "mock_agent/rpc.h"

namespace sa::mock {

class Settings {
 public:
  Settings();

  std::string_view value(std::string_view id) const;  // of a setting that exists

  std::expected<void, RpcError> choose(std::string_view id, std::string_view value);

  json::array config_options() const;
  json::object modes() const;

 private:
  static constexpr std::size_t count = 3;
  std::array<std::size_t, count> chosen_{};  // which choice of each row of the table
};

}  // namespace sa::mock
