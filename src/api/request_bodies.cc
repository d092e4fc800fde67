#include "api/request_bodies.h"

#include "api/agents_documents.h"
#include "api/fs_documents.h"
#include "base/shape_read.h"
#include "base/utf8.h"

namespace sa {
namespace {

Result<std::string> version_wish(const std::optional<std::string>& version, std::string_view field) {
  if (!version || version->empty()) return "";
  const JsonPlace top;
  if (!is_version(*version)) return fail(misshapen(top.at(field), "be an exact version or a tag, such as 1.2.3"));
  return *version;
}

}  // namespace

Result<InstallWishes> read_install_request(std::string_view body) {
  if (is_blank(body)) return InstallWishes{};
  TRY(const auto value, parse_json(body));
  TRY(const InstallRequest request, from_json<InstallRequest>(value));
  InstallWishes wishes{.reinstall = request.reinstall.value_or(false)};
  TRY(wishes.agent_version, version_wish(request.agent_version, "agentVersion"));
  TRY(wishes.process_version, version_wish(request.agent_process_version, "agentProcessVersion"));
  return wishes;
}

Result<MoveOrder> read_move_request(std::string_view body, const FileRoot& root) {
  TRY(const auto value, parse_json(body));
  TRY(const MoveRequest request, from_json<MoveRequest>(value));
  TRY(GuardedPath from, blaming("from", root.guard(request.from)));
  TRY(GuardedPath to, blaming("to", root.guard(request.to)));
  return MoveOrder{std::move(from), std::move(to), Overwrite{request.overwrite.value_or(false)}};
}

}  // namespace sa
