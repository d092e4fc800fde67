// The input is the body of a request that wants something installed, or moved. Held: what is taken is what the document says,
// versions are words and paths lie below the root; what is refused is refused in words that name a member.
// Inputs: at most 512 bytes.
#include <boost/json.hpp>
#include <string>

#include "api/request_bodies.h"
#include "base/shape_read.h"
#include "base/utf8.h"
#include "documents.h"
#include "fuzz_input.h"

namespace sa::fuzz {
namespace {

namespace json = boost::json;

// Of a document that is no object: nothing.
const json::value* member_of(const Result<json::value>& document, std::string_view name) {
  return document && document->is_object() ? document->get_object().if_contains(name) : nullptr;
}

// What is absent or null is not said.
std::string_view text_in(const Result<json::value>& document, std::string_view name) {
  const json::value* member = member_of(document, name);
  return member && member->is_string() ? std::string_view(member->get_string()) : "";
}

bool is_true_in(const Result<json::value>& document, std::string_view name) {
  const json::value* member = member_of(document, name);
  return member && member->is_bool() && member->get_bool();
}

void check_refusal(const Error& error, const Result<json::value>& document, std::initializer_list<std::string_view> members) {
  hold_refusal(error);
  hold(error.code == ErrorCode::invalid_request || error.code == ErrorCode::unprocessable || error.code == ErrorCode::forbidden,
       "a wrong body is the caller's mistake");
  if (!document) return hold(error.code == ErrorCode::invalid_request, "what is no JSON is no request");
  if (!document->is_object()) return hold(error.code == ErrorCode::unprocessable, "a request is an object");
  bool is_blamed = error.code == ErrorCode::forbidden;
  for (const std::string_view name : members) is_blamed = is_blamed || error.extra("field") == "\"" + std::string(name) + "\"";
  hold(is_blamed, "one of its members is at fault");
}

void check_install(std::string_view body, const Result<json::value>& document) {
  const auto wishes = read_install_request(body);
  if (is_blank(body)) return hold(wishes && *wishes == InstallWishes{}, "a body may be left out");
  if (!wishes) return check_refusal(wishes.error(), document, {"reinstall", "agentVersion", "agentProcessVersion"});
  hold(document && document->is_object(), "a request is an object");
  hold(wishes->reinstall == is_true_in(document, "reinstall"), "only who says so gets it again");
  hold(wishes->agent_version == text_in(document, "agentVersion"), "the version is the one that is wished for");
  hold(wishes->process_version == text_in(document, "agentProcessVersion"), "and so is the other");
  for (const std::string& version : {wishes->agent_version, wishes->process_version})
    hold(version.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.+-_") == std::string::npos &&
             !version.starts_with('-') && !version.starts_with('.'),
         "a version is no option, no path and no address");
}

void hold_path(const GuardedPath& path, std::string_view given, const FileRoot& root) {
  const std::string& absolute = path.absolute();
  hold(!given.empty() && !given.contains('\0') && !absolute.contains('\0'), "a path ends at its end");
  const std::string below = root.directory() == "/" ? "/" : root.directory() + "/";
  hold(absolute == root.directory() || absolute.starts_with(below) || (!root.confines() && given.starts_with('/')),
       "a path lies below its root");
}

void check_move(std::string_view body, const Result<json::value>& document, const FileRoot& root) {
  const auto order = read_move_request(body, root);
  if (!order) {
    hold(order.error().code != ErrorCode::forbidden || root.confines(), "only what confines forbids");
    return check_refusal(order.error(), document, {"from", "to", "overwrite"});
  }
  hold_path(order->from, text_in(document, "from"), root);
  hold_path(order->to, text_in(document, "to"), root);
  hold((order->overwrite == Overwrite::yes) == is_true_in(document, "overwrite"), "only who says so overwrites");
}

void check(std::string_view body) {
  static const FileRoot everywhere = *FileRoot::open("/", Confined::no);
  static const FileRoot confined = *FileRoot::open("/usr", Confined::yes);
  const auto document = parse_json(body);
  check_install(body, document);
  check_move(body, document, everywhere);
  check_move(body, document, confined);
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
