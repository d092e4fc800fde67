// What the two sides promise each other in initialize. Pure functions.
#pragma once

#include <string_view>

#include "mock_agent/rpc.h"

namespace sa::mock {

// What the client says it can do; nothing until it said so.
struct ClientOffer {
  bool read_files = false;
  bool write_files = false;
  bool terminals = false;
  bool forms = false;  // elicitation with a form
};

ClientOffer client_offer(const json::object& initialize_params);

json::object initialize_result();

constexpr std::string_view auth_method_id = "demo-login";
json::array auth_methods();

}  // namespace sa::mock
