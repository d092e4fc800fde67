#include "cli/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <thread>

#include "base/clock.h"
#include "cli/interrupt.h"
#include "cli/patient_write.h"
#include "cli/terminal_input.h"
#include "files/file_root.h"

namespace sa {
namespace {

Result<StagedFile> stage(const std::string& name) {
  std::error_code error;
  const std::filesystem::path path(name);
  const auto folder = std::filesystem::canonical(path.has_parent_path() ? path.parent_path() : ".", error);
  if (error) return fail(ErrorCode::not_found, fmt::format("The folder of {} cannot be used: {}.", name, error.message()));
  TRY(const FileRoot root, FileRoot::open(folder.string(), Confined::no));
  TRY(const GuardedPath target, root.guard((folder / path.filename()).string()));
  return StagedFile::begin(target);
}

// As into a container: another file cannot take its place.
bool is_mounted(const std::string& name) {
  struct statx about{};
  return ::statx(AT_FDCWD, name.c_str(), 0, STATX_TYPE, &about) == 0 && (about.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

// A pipe without a reader is waited for, unless somebody wants to end us: EINTR.
UniqueFd open_pipe(const std::string& name) {
  constexpr Millis look_again{50};
  for (;;) {
    UniqueFd pipe(::open(name.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
    if (pipe || errno != ENXIO) return pipe;
    if (is_interrupted()) {
      errno = EINTR;
      return UniqueFd();
    }
    stop_if_asked();
    std::this_thread::sleep_for(look_again);
  }
}

Failure cannot_be_written(const std::string& name, int error) {
  if (error == EINTR) return {.exit = Exit::interrupted, .what = "interrupted"};
  return {.what = fmt::format("{} cannot be written", name), .why = errno_text(error)};
}

}  // namespace

Outcome<OutputFile> OutputFile::in_place(const std::string& name, UniqueFd file) {
  if (!file) return failed(cannot_be_written(name, errno));
  return OutputFile(InPlace{std::move(file)});
}

Outcome<OutputFile> OutputFile::begin(const std::string& name) {
  constexpr int writing = O_WRONLY | O_CLOEXEC;
  struct stat there{};
  const mode_t kind = ::stat(name.c_str(), &there) == 0 ? there.st_mode & S_IFMT : 0;
  if (kind == S_IFIFO) return in_place(name, open_pipe(name));
  const bool is_device = kind == S_IFCHR || kind == S_IFBLK;
  if (is_device || (kind == S_IFREG && is_mounted(name))) return in_place(name, UniqueFd(::open(name.c_str(), writing)));
  auto file = stage(name);
  if (file) return OutputFile(std::move(*file));
  if (file.error().code != ErrorCode::forbidden) return failed(failure_of(file.error()));
  // A file may be written where its folder may not.
  return in_place(name, UniqueFd(::open(name.c_str(), writing | O_CREAT, 0666)));
}

// Until there is something to write, or nothing at all, the file has what was there before.
void OutputFile::begin_anew(InPlace& place) {
  if (std::exchange(place.is_begun, true)) return;
  [[maybe_unused]] const int cut = ::ftruncate(place.file.get(), 0);  // a pipe has nothing to cut
}

Result<void> OutputFile::write(std::string_view bytes) {
  if (auto* file = std::get_if<StagedFile>(&target_)) return file->write(bytes);
  auto& place = std::get<InPlace>(target_);
  begin_anew(place);
  const int error = write_patiently(place.file.get(), bytes);
  if (error != 0) return fail(ErrorCode::internal, fmt::format("The output cannot be written: {}.", errno_text(error)));
  return {};
}

Result<void> OutputFile::commit() {
  auto* const file = std::get_if<StagedFile>(&target_);
  if (!file) {
    begin_anew(std::get<InPlace>(target_));
    return {};
  }
  const auto put = file->commit();
  if (!put && put.error().code == ErrorCode::forbidden)  // it is somebody else's, such as in /tmp
    return fail(ErrorCode::forbidden, fmt::format("You may not replace '{}'. Choose another name.", file->path()));
  if (!put) return std::unexpected(put.error());
  return {};
}

}  // namespace sa
