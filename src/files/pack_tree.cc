#include "files/pack_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "files/file_bytes.h"
#include "files/file_error.h"
#include "files/tar_header.h"
#include "files/tar_problem.h"

namespace sa {
namespace {

constexpr mode_t program_mode = 0755, file_mode = 0644, link_mode = 0777;

std::unexpected<Error> changed(const TreeEntry& entry) { return fail_file(EBUSY, tar_name_for_words(entry.path)); }

}  // namespace

Result<void> TreePacker::add_file(std::string_view name, std::string_view content) {
  std::string all = tar_header(TarKind::file, name, {}, file_mode, content.size());
  return out_.write(all.append(content).append(tar_padding(content.size())));
}

Result<void> TreePacker::add_tree(std::string_view name, int directory, std::string_view path, const StopFlag& stop) {
  if (auto added = out_.write(tar_header(TarKind::directory, fmt::format("{}/", name), {}, program_mode, 0)); !added)
    return added;
  const auto add_below = [&](const TreeEntry& entry) {
    std::string full(name);
    return add(full.append("/").append(entry.name), entry, stop);
  };
  return walk_tree(directory, path, add_below, stop);
}

Result<void> TreePacker::add(std::string_view name, const TreeEntry& entry, const StopFlag& stop) {
  switch (entry.kind) {
    case TreeKind::directory: return out_.write(tar_header(TarKind::directory, std::string(name) + '/', {}, program_mode, 0));
    case TreeKind::symlink: return out_.write(tar_header(TarKind::symlink, name, entry.link, link_mode, 0));
    default: break;
  }
  const mode_t mode = entry.executable ? program_mode : file_mode;
  if (auto added = out_.write(tar_header(TarKind::file, name, {}, mode, entry.size)); !added) return added;
  return add_content(entry, stop);
}

// As much as the header said.
Result<void> TreePacker::add_content(const TreeEntry& entry, const StopFlag& stop) {
  FileBytes bytes(entry.file, entry.path);
  for (std::uint64_t at = 0; at < entry.size;) {
    if (stop.load(std::memory_order_relaxed)) return fail_stopped();
    TRY(const std::string_view piece, bytes.at(at, std::min<std::uint64_t>(entry.size - at, FileBytes::most)));
    if (piece.empty()) return changed(entry);
    if (auto written = out_.write(piece); !written) return written;
    at += piece.size();
  }
  TRY(const std::uint64_t size_now, bytes.size());
  if (size_now != entry.size) return changed(entry);
  return out_.write(tar_padding(entry.size));
}

Result<void> TreePacker::finish() {
  if (auto ended = out_.write(tar_end()); !ended) return ended;
  return out_.finish();
}

}  // namespace sa
