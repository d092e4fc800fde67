#include "agents/registry.h"

#include <fmt/format.h>

#include "agents/registry_document.h"
#include "base/log.h"
#include "base/sha256.h"
#include "base/shape.h"
#include "base/shape_read.h"
#include "base/utc_time.h"
#include "files/file_root.h"
#include "files/read_up_to.h"
#include "files/staged_file.h"
#include "io/fetch.h"
#include "io/lower_case.h"

namespace sa {
namespace {

constexpr std::size_t longest_document = std::size_t{16} << 20;
constexpr std::size_t most_bytes = 2 * longest_document;  // of a copy, where quotes are escaped
constexpr std::string_view file_scheme = "file://";

// What is kept: the document as it came, from where and when.
struct Copy {
  std::string url_sha256;  // the URL may hold a password
  long long fetched_at_ms = 0;
  std::string document;
};

std::string sha256_of(std::string_view text) {
  Sha256 digest;
  digest.add(text);
  return digest.hex();
}

std::string readable_time(long long unix_ms) {
  constexpr long long second = 1'000;
  return rfc3339(timespec{unix_ms / second, 0});
}

}  // namespace

template <>
struct Shape<Copy> {
  static constexpr std::tuple fields{
      Field{"urlSha256", &Copy::url_sha256, ""},
      Field{"fetchedAtMs", &Copy::fetched_at_ms, ""},
      Field{"document", &Copy::document, ""},
  };
};

namespace {

Result<Copy> read_copy(const std::string& path, const std::string& url) {
  TRY(const std::string json, read_file(path, most_bytes));
  TRY(const auto value, parse_json(json));
  TRY(Copy copy, from_json<Copy>(value));
  if (copy.url_sha256 != sha256_of(url)) return fail(ErrorCode::internal, "The copy is of another registry.");
  return copy;
}

Result<void> keep_copy(const std::string& path, const Copy& copy) {
  TRY(const FileRoot root, FileRoot::open("/", Confined::no));
  TRY(const GuardedPath target, root.guard(path));
  TRY(StagedFile file, StagedFile::begin(target));
  TRY_VOID(file.write(to_json(copy)));
  TRY_VOID(file.commit());
  return {};
}

Result<std::string> fetch_document(const std::string& url, Millis time_limit, const StopFlag& stop) {
  FetchRequest request{.url = url, .total_timeout = time_limit, .max_bytes = longest_document, .secure_only = true};
  request.stop = &stop;
  std::string document;
  const auto answer = fetch(request, [&](std::string_view bytes) -> Result<void> {
    document += bytes;
    return {};
  });
  if (!answer) return fail(ErrorCode::internal, answer.error().text);
  if (answer->status != 200) return fail(ErrorCode::internal, fmt::format("It answered {}. Check its URL.", answer->status));
  if (!is_registry(document)) return fail(ErrorCode::internal, "What it answers is no registry of agents.");
  return document;
}

}  // namespace

bool Registry::is_remote() const {
  const std::string scheme = lower_case(std::string_view(settings_.url).substr(0, settings_.url.find(':')));
  return scheme == "http" || scheme == "https";
}

Result<Registry::Document> Registry::from_file() const {
  const bool has_scheme = settings_.url.starts_with(file_scheme);
  const std::string path = has_scheme ? settings_.url.substr(file_scheme.size()) : settings_.url;
  auto json = read_file(path, most_bytes);
  if (!json) return fail(ErrorCode::internal, json.error().detail);
  if (!is_registry(*json))
    return fail(ErrorCode::internal, fmt::format("'{}' is no registry of agents: it must be JSON with a list 'agents'.", path));
  return Document{std::move(*json), ""};
}

Result<Registry::Document> Registry::known() const {
  if (!is_remote()) return from_file();
  auto copy = read_copy(settings_.copy_file, settings_.url);
  if (!copy) return fail(ErrorCode::not_found, "The registry was not asked yet.");
  return Document{std::move(copy->document), ""};
}

Result<Registry::Document> Registry::get(const StopFlag& stop) const {
  if (!is_remote()) return from_file();
  const TimePoint asked_at = Clock::now();
  const std::lock_guard one_at_a_time(fetching_);  // who comes second finds the copy, or what went wrong
  auto copy = read_copy(settings_.copy_file, settings_.url);
  const long long now = unix_millis();
  const bool is_fresh = copy && copy->fetched_at_ms <= now && copy->fetched_at_ms > now - settings_.fresh_for.count();
  if (is_fresh) return Document{std::move(copy->document), ""};
  const bool failed_meanwhile = failure_ && failure_->at > asked_at;
  auto fetched =
      failed_meanwhile ? Result<std::string>(fail(failure_->error)) : fetch_document(settings_.url, settings_.time_limit, stop);
  if (!fetched && !failed_meanwhile && !stop) failure_ = Failed{Clock::now(), fetched.error()};
  if (fetched) {
    if (auto kept = keep_copy(settings_.copy_file, {sha256_of(settings_.url), unix_millis(), *fetched}); !kept)
      log::warn("the registry's copy is not kept: {}", kept.error().detail);
    return Document{std::move(*fetched), ""};
  }
  if (copy) return Document{std::move(copy->document), readable_time(copy->fetched_at_ms)};
  return std::unexpected(fetched.error());
}

}  // namespace sa
