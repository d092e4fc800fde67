#include "agents/archive_install.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "agents/said_of_file.h"
#include "base/utf8.h"
#include "files/file_error.h"
#include "files/unpack.h"
#include "io/fetch_file.h"
#include "io/lower_case.h"
#include "io/url_parts.h"

namespace sa {
namespace {

constexpr std::string_view download_name = "download";
constexpr std::uint64_t unpacked_factor = 4;  // an archive may unpack to so many times the largest artifact

std::string real_path(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), ::free);
  return real ? real.get() : "";
}

// The program as it lies there: a regular file inside, behind whatever links the archive brought.
Result<std::string> program_in(const std::string& files, const std::string& below, const std::string& url) {
  const std::string top = real_path(files) + "/";
  const std::string program = real_path(files + "/" + below);
  struct stat info{};
  if (program.empty() || ::stat(program.c_str(), &info) != 0 || !S_ISREG(info.st_mode))
    return fail_install(fmt::format("the archive {} has no program '{}'", url, below));
  if (!program.starts_with(top))
    return fail_install(fmt::format("the program '{}' of {} leads out of its archive", below, url));
  if (::chmod(program.c_str(), (info.st_mode & 07777U) | 0755U) != 0) return fail_file(errno, program);
  return files + "/" + below;
}

// The URL for words and records: without a password.
std::string shown(const std::string& url) {
  const auto parts = parse_url(url);
  return parts ? parts->text() : "its address";
}

Result<std::string> download(const ArchiveStep& step, int file, const InstallLimits& limits,
                             const std::function<void(InstallProgress)>& report, const StopFlag& stop) {
  FetchRequest request{.url = step.url,
                       .total_timeout = limits.time_limit,
                       .max_bytes = limits.max_artifact_bytes,
                       .secure_only = true,
                       .progress = [&](const FetchProgress& far) { report({"downloading", far.bytes, far.total}); },
                       .stop = &stop};
  auto fetched = fetch_to_file(request, file);
  if (!fetched) {
    if (fetched.error().cause) return fail(*fetched.error().cause);
    if (fetched.error().kind == FetchError::Kind::stopped) return fail_stopped();
    return fail_install(fetched.error().text);
  }
  if (fetched->answer.status != 200)
    return fail_install(
        fmt::format("{} answered {}. Try again later, or ask who runs the registry", shown(step.url), fetched->answer.status));
  const std::string expected = lower_case(step.sha256);
  if (!expected.empty() && fetched->sha256 != expected)
    return fail_install(
        fmt::format("what {} sent has the SHA-256 {}, and the registry says {}", shown(step.url), fetched->sha256, expected));
  return fetched->sha256;
}

Result<void> unpack_into(const std::string& files, int file, const std::string& program_name, const InstallLimits& limits,
                         const StopFlag& stop) {
  if (::mkdir(files.c_str(), 0777) != 0) return fail_file(errno, files);
  TarTarget target{UniqueFd(::open(files.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)), files};
  if (!target.directory) return fail_file(errno, files);
  const TarLimits unpacked{.max_unpacked_bytes = limits.max_artifact_bytes * unpacked_factor};
  return unpack(file, target, program_name, unpacked, stop);
}

}  // namespace

Result<std::string> program_below(std::string_view cmd) {
  if (cmd.starts_with('/') || cmd.contains('\\') || cmd.contains('\0'))
    return fail_install(fmt::format("the registry's cmd '{}' is not a path within its archive", repair_utf8(cmd, 200)));
  std::string clean;
  while (!cmd.empty()) {
    const std::size_t slash = std::min(cmd.find('/'), cmd.size());
    const std::string_view part = cmd.substr(0, slash);
    cmd.remove_prefix(std::min(slash + 1, cmd.size()));
    if (part == "..") return fail_install("the registry's cmd leads out of its archive");
    if (part.empty() || part == ".") continue;
    if (!clean.empty()) clean += '/';
    clean += part;
  }
  if (clean.empty()) return fail_install("the registry's cmd names no program");
  return clean;
}

Result<InstalledArchive> install_archive(const ArchiveStep& step, const InstallTree& tree, const InstallLimits& limits,
                                         const std::function<void(InstallProgress)>& report, const StopFlag& stop) {
  TRY(const std::string below, program_below(step.cmd));
  const std::string file_path = tree.at(download_name);
  const UniqueFd file(::open(file_path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file) return fail_file(errno, file_path);
  report({"downloading"});
  TRY(const std::string sha256, download(step, file.get(), limits, report, stop));
  report({"unpacking"});
  const std::string files = tree.at(files_name);
  if (auto unpacked = unpack_into(files, file.get(), below, limits, stop); !unpacked) {
    const bool ours = unpacked.error().code == ErrorCode::no_space || unpacked.error().code == ErrorCode::overloaded;
    if (ours) return fail(unpacked.error());
    return fail_install(
        fmt::format("what {} sent cannot be unpacked: {}", shown(step.url), said_of_file(unpacked.error().detail)));
  }
  ::unlink(file_path.c_str());
  TRY(std::string program, program_in(files, below, shown(step.url)));
  return InstalledArchive{std::move(program), shown(step.url), sha256};
}

}  // namespace sa
