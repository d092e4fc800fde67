#include "agents/bundle.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/json.hpp>

#include "agents/install_plan.h"
#include "agents/registry_document.h"
#include "agents/said_of_file.h"
#include "base/json_pretty.h"
#include "base/shape_read.h"
#include "files/file_error.h"
#include "files/file_root.h"
#include "files/hidden_name.h"
#include "files/pack_tree.h"
#include "files/read_up_to.h"
#include "files/tree_digest.h"
#include "files/unpack.h"

namespace sa {
namespace {

constexpr int bundle_format = 1;
constexpr std::string_view index_name = "bundle.json";
constexpr std::string_view folder_prefix = ".bundle-";
constexpr std::uint64_t bundle_factor = 16;  // several agents, each several times the largest artifact
constexpr std::size_t longest_index = std::size_t{16} << 20;

UniqueFd open_folder(const std::string& path) { return UniqueFd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)); }

Result<std::string> digest_of(const std::string& path, const StopFlag& stop) {
  const UniqueFd directory = open_folder(path);
  if (!directory) return fail_file(errno, path);
  return tree_digest(directory.get(), path, stop);
}

Result<BundledAgent> describe(const Store& store, const std::string& agent, std::string& path, const StopFlag& stop) {
  const auto there = store.look(agent);
  if (there.found != Store::Found::installed)
    return fail(Error{
        ErrorCode::agent_not_installed,
        fmt::format("'{}' was not installed by us, so there is nothing to bundle. Install it first.", agent),
        {}}.with_text("agent", agent));
  path = store.folder(agent) + "/" + there.tree;
  if (::access((path + "/uv").c_str(), F_OK) == 0)
    return fail(install_error(agent, "a Python install knows its own place and cannot be moved to another machine"));
  TRY(InstallRecord record, store.record(agent, there.tree));
  TRY(std::string digest, digest_of(path, stop));
  return BundledAgent{std::move(digest), std::move(record)};
}

Result<void> pack(int file, const std::string& path, const BundleIndex& index, const std::vector<std::string>& trees,
                  const StopFlag& stop) {
  TreePacker packer(file, path);
  TRY_VOID(packer.add_file(index_name, pretty_json(boost::json::parse(to_json(index)))));
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const UniqueFd directory = open_folder(trees[i]);
    if (!directory) return fail_file(errno, trees[i]);
    TRY_VOID(packer.add_tree(index.agents[i].record.agent, directory.get(), trees[i], stop));
  }
  return packer.finish();
}

Result<BundleIndex> read_index(const std::string& folder) {
  const std::string path = folder + "/" + std::string(index_name);
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file) return fail_install("it is no bundle of agents: it has no bundle.json");
  TRY(const std::string json, read_up_to(file.get(), longest_index, path));
  return read_bundle_index(json);
}

// A path within the tree, in words.
bool stays_below(std::string_view path) {
  return !path.empty() && !path.starts_with('/') && !path.contains('\0') && !("/" + std::string(path) + "/").contains("/../");
}

bool stays_below(const LaunchRecord& launch) {
  return stays_below(launch.program) && std::ranges::all_of(launch.path, [](const auto& path) { return stays_below(path); }) &&
         std::ranges::all_of(launch.env, [](const auto& variable) { return is_variable_name(variable.first); });
}

}  // namespace

Result<BundleIndex> read_bundle_index(std::string_view json) {
  const auto value = parse_json(json);
  auto index = value ? from_json<BundleIndex>(*value) : fail(value.error());
  if (!index) return fail_install("its bundle.json cannot be read: " + said_of_file(index.error().detail));
  if (index->format != bundle_format)
    return fail_install(fmt::format("it has the format {}, and this program knows {} only", index->format, bundle_format));
  if (index->platform != this_platform())
    return fail_install(fmt::format("it was made for {}, and this is {}", index->platform, this_platform()));
  for (const BundledAgent& agent : index->agents) {
    if (!is_agent_id(agent.record.agent)) return fail_install("it names an agent by something that is no id");
    if (auto fine = check_record(agent.record); !fine) return fail_install(fine.error().detail);
  }
  return std::move(*index);
}

bool stays_in_its_tree(const InstallRecord& record) {
  return stays_below(record.launch) && (!record.native || stays_below(*record.native)) &&
         !record.native_program.value_or("").contains('/');
}

Result<BundleIndex> write_bundle(const Store& store, const std::vector<std::string>& agents, const std::string& path,
                                 const StopFlag& stop) {
  BundleIndex index{.platform = std::string(this_platform())};
  std::vector<std::string> trees;
  for (const std::string& agent : agents) {
    TRY(index.agents.emplace_back(), describe(store, agent, trees.emplace_back(), stop));
  }
  const std::string fresh = path + hidden_name();
  const UniqueFd file(::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file) return fail_file(errno, fresh);
  Result<void> done = pack(file.get(), path, index, trees, stop);
  if (done && ::fsync(file.get()) != 0) done = fail_file(errno, path);
  if (done && ::rename(fresh.c_str(), path.c_str()) != 0) done = fail_file(errno, path);
  if (done) return index;
  ::unlink(fresh.c_str());
  return fail(done.error());
}

Result<UnpackedBundle> UnpackedBundle::open(const Store& store, const std::string& path, const InstallLimits& limits,
                                            const StopFlag& stop) {
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info{};
  if (!file || ::fstat(file.get(), &info) != 0) return fail_file(errno, path);
  if (!S_ISREG(info.st_mode)) return fail_install("it is no file");
  TRY_VOID(make_directories(store.processes()));
  remove_abandoned(store.processes(), folder_prefix, stop);
  const std::string folder = store.processes() + "/" + std::string(folder_prefix) + random_word();
  if (::mkdir(folder.c_str(), 0700) != 0) return fail_file(errno, folder);
  TarTarget target{open_folder(folder), folder};
  if (!target.directory) return fail_file(errno, folder);
  TRY(DirectoryLock lock, DirectoryLock::take(target.directory.get(), folder, {.limit = std::chrono::milliseconds(0)}, stop));
  UnpackedBundle bundle(folder, std::move(lock));
  const TarLimits bounds{.max_unpacked_bytes = limits.max_artifact_bytes * bundle_factor};
  if (auto unpacked = unpack(file.get(), target, "not-an-archive", bounds, stop); !unpacked) {
    if (unpacked.error().code == ErrorCode::no_space || unpacked.error().code == ErrorCode::overloaded)
      return fail(unpacked.error());
    return fail_install("it is damaged or no bundle: " + said_of_file(unpacked.error().detail));
  }
  TRY(bundle.index_, read_index(folder));
  return bundle;
}

UnpackedBundle::~UnpackedBundle() {
  if (!folder_.empty()) remove_folder(folder_);
}

Result<InstallRecord> UnpackedBundle::move_into(const InstallTree& tree, const BundledAgent& agent, const Store& store,
                                                const StopFlag& stop) const {
  InstallRecord record = agent.record;
  const std::string from = folder_ + "/" + record.agent;
  TRY(const std::string digest, digest_of(from, stop));
  if (digest != agent.digest)
    return fail_install(fmt::format("its files have the digest {}, and the bundle says {}", digest, agent.digest));
  if (!stays_in_its_tree(record)) return fail_install("its record leads out of its tree");
  for (std::string_view made_anew : {launch_name, native_name, record_name})
    ::unlink((from + "/" + std::string(made_anew)).c_str());
  if (::rename(from.c_str(), tree.path().c_str()) != 0) return fail_file(errno, tree.path());
  record.from_bundle = true;
  for (Artifact& artifact : record.artifacts) {
    if (artifact.source == ArtifactSource::local_path) continue;
    artifact.path = artifact.kind == ArtifactKind::agent_process ? store.launcher(record.agent)
                                                                 : store.native(record.native_program.value_or(""));
  }
  return record;
}

}  // namespace sa
