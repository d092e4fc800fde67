#include "files/tree_digest.h"

#include <fmt/format.h>

#include "base/sha256.h"
#include "files/file_bytes.h"
#include "files/tree_walk.h"

namespace sa {
namespace {

std::string digest_of(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

Result<std::string> digest_of(const TreeEntry& entry, const StopFlag& stop) {
  Sha256 hash;
  FileBytes bytes(entry.file, entry.path);
  for (std::uint64_t at = 0;;) {
    if (stop.load(std::memory_order_relaxed)) return fail_stopped();
    TRY(const std::string_view piece, bytes.at(at, FileBytes::most));
    if (piece.empty()) return hash.hex();
    hash.add(piece);
    at += piece.size();
  }
}

Result<std::string> record_of(const TreeEntry& entry, const StopFlag& stop) {
  std::string record;
  switch (entry.kind) {
    case TreeKind::directory: record = "d "; break;
    case TreeKind::symlink: record = fmt::format("l {} ", digest_of(entry.link)); break;
    case TreeKind::file: {
      TRY(const std::string digest, digest_of(entry, stop));
      record = fmt::format("{} {} ", entry.executable ? 'x' : 'f', digest);
    }
  }
  return record.append(entry.name) + '\0';
}

}  // namespace

Result<std::string> tree_digest(int directory, std::string_view path, const StopFlag& stop) {
  Sha256 hash;
  const auto add = [&](const TreeEntry& entry) -> Result<void> {
    TRY(const std::string record, record_of(entry, stop));
    hash.add(record);
    return {};
  };
  if (auto walked = walk_tree(directory, path, add, stop); !walked) return fail(std::move(walked).error());
  return hash.hex();
}

}  // namespace sa
