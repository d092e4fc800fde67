#include "cli/instance_list.h"

#include <fmt/format.h>

#include "base/shape_read.h"
#include "client/api_call.h"

namespace sa {

Outcome<ServerList> list_instances(const ServerAddress& server) {
  TRY(const ApiAnswer answer, call_api(server, {.target = "/v1/acp"}));
  const auto document = parse_json(answer.body);
  auto list = document ? from_json<ServerList>(*document) : fail(document.error());
  if (!list) return failed({.what = "the daemon's list of instances cannot be read", .why = list.error().detail});
  return std::move(*list);
}

Outcome<ServerDocument> find_instance(const ServerAddress& server, const std::string& id) {
  if (id.empty())  // which every id begins with
    return failed({.exit = Exit::usage, .what = "name an instance: '' is none", .what_to_do = "sandbox-agent ps"});
  TRY(const ServerList list, list_instances(server));
  std::vector<const ServerDocument*> near;
  std::vector<std::string_view> ids;
  for (const ServerDocument& instance : list.servers) {
    if (instance.server_id == id) return instance;
    if (instance.server_id.starts_with(id)) near.push_back(&instance);
    ids.push_back(instance.server_id);
  }
  if (near.size() == 1) return *near.front();
  return failed({.what = near.empty() ? fmt::format("there is no instance '{}'", id)
                                      : fmt::format("'{}' is the beginning of {} instances", id, near.size()),
                 .why = ids.empty() ? "none is running" : fmt::format("there are: {}", fmt::join(ids, ", ")),
                 .what_to_do = "sandbox-agent ps",
                 .code = "not_found"});
}

}  // namespace sa
