#include "mock_agent/handshake.h"

#include "base/version.h"

namespace sa::mock {
namespace {

constexpr int protocol_version = 1;

bool is_true(const json::object& object, std::string_view name) {
  const json::value* member = object.if_contains(name);
  return member && member->is_bool() && member->get_bool();
}

bool has_object(const json::object& object, std::string_view name) {
  const json::value* member = object.if_contains(name);
  return member && member->is_object();
}

}  // namespace

ClientOffer client_offer(const json::object& initialize_params) {
  const json::object& can = object_member(initialize_params, "clientCapabilities");
  const json::object& fs = object_member(can, "fs");
  return {.read_files = is_true(fs, "readTextFile"),
          .write_files = is_true(fs, "writeTextFile"),
          .terminals = is_true(can, "terminal"),
          .forms = has_object(object_member(can, "elicitation"), "form")};
}

json::array auth_methods() {
  json::array methods;
  methods.push_back({{"id", auth_method_id},
                     {"name", "Demo login"},
                     {"description", "Succeeds at once and asks for nothing. Only /auth needs it."}});
  return methods;
}

json::object initialize_result() {
  const json::object yes;
  return {{"protocolVersion", protocol_version},
          {"agentCapabilities",
           {{"loadSession", true},
            {"promptCapabilities", {{"image", true}, {"audio", true}, {"embeddedContext", true}}},
            {"mcpCapabilities", {{"http", false}, {"sse", false}}},
            {"sessionCapabilities", {{"list", yes}, {"resume", yes}, {"fork", yes}, {"close", yes}, {"delete", yes}}},
            {"auth", {{"logout", yes}}}}},
          {"agentInfo", {{"name", "mock"}, {"title", "Demo agent"}, {"version", version}}},
          {"authMethods", auth_methods()}};
}

}  // namespace sa::mock
