// Installs as one file, for machines without a network: a tar.zst with `bundle.json` (which agents, which versions, the digest
// of each tree) in front of the trees. Blocking; a worker thread.
#pragma once

#include <string>
#include <vector>

#include "agents/install_record.h"
#include "agents/install_tree.h"
#include "agents/store.h"
#include "base/limits.h"
#include "base/stop_flag.h"
#include "base/unique_fd.h"
#include "files/directory_lock.h"

namespace sa {

struct BundledAgent {
  std::string digest;  // of the tree
  InstallRecord record;
};

template <>
struct Shape<BundledAgent> {
  static constexpr std::string_view name = "BundledAgent";
  static constexpr std::string_view help = "One agent of a bundle.";
  static constexpr std::tuple fields{
      Field{"digest", &BundledAgent::digest, "Of all its files."},
      Field{"record", &BundledAgent::record, "What was installed where the bundle was made."},
  };
};

struct BundleIndex {
  int format = 1;
  std::string platform;
  std::vector<BundledAgent> agents;
};

template <>
struct Shape<BundleIndex> {
  static constexpr std::string_view name = "Bundle";
  static constexpr std::string_view help = "What a bundle holds.";
  static constexpr std::tuple fields{
      Field{"format", &BundleIndex::format, "1."},
      Field{"platform", &BundleIndex::platform, "Where it was made and can be used."},
      Field{"agents", &BundleIndex::agents, "The agents."},
  };
};

// Error: install_failed, when it is none, of another format or for another platform, or a record of it is wrong.
Result<BundleIndex> read_bundle_index(std::string_view json);

// Whether nothing of a record that came from elsewhere leads out of the tree it describes.
bool stays_in_its_tree(const InstallRecord& record);

// Writes the installs of these agents to `path`, which is replaced when all is well. Errors: agent_not_installed,
// install_failed for what cannot be moved to another machine, those of files.
Result<BundleIndex> write_bundle(const Store& store, const std::vector<std::string>& agents, const std::string& path,
                                 const StopFlag& stop);

// A bundle unpacked beside the installs, removed at the end.
class UnpackedBundle {
 public:
  // Errors: install_failed when it is no bundle, damaged, or of another platform; no_space.
  static Result<UnpackedBundle> open(const Store& store, const std::string& path, const InstallLimits& limits,
                                     const StopFlag& stop);
  UnpackedBundle(UnpackedBundle&&) noexcept = default;
  UnpackedBundle& operator=(UnpackedBundle&&) = delete;
  ~UnpackedBundle();

  const BundleIndex& index() const { return index_; }
  // Moves an agent's files into a new tree, once their digest is right, and says what they are.
  Result<InstallRecord> move_into(const InstallTree& tree, const BundledAgent& agent, const Store& store,
                                  const StopFlag& stop) const;

 private:
  UnpackedBundle(std::string folder, DirectoryLock lock) : folder_(std::move(folder)), lock_(std::move(lock)) {}

  std::string folder_;  // empty once moved from
  DirectoryLock lock_;
  BundleIndex index_;
};

}  // namespace sa
