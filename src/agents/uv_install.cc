#include "agents/uv_install.h"

#include <fmt/format.h>

namespace sa {
namespace {

// "name[extra]==1.2" is called "name".
std::string plain_name(const std::string& package) { return package.substr(0, package.find_first_of("[=@!,+")); }

}  // namespace

Task<Result<std::string>> uv_install(InstallContext& context, const InstallTree& tree, UvStep step) {
  const std::string uv =
      co_await context.pool.run([&] { return find_program("uv", variable_in(context.environment, "PATH")); });
  if (uv.empty()) co_return fail_install("it needs uv, which is not on PATH. Install uv, or use a launcher of your own");
  ChildSpec child{.argv = {"uv", "tool", "install", step.package}, .env = context.environment, .cwd = tree.path()};
  set_variable(child.env, "UV_TOOL_DIR", tree.at("uv"));
  set_variable(child.env, "UV_TOOL_BIN_DIR", tree.at(files_name));
  CO_TRY_VOID(co_await run_step(context, "uv tool install", std::move(child), context.limits.time_limit));
  const std::string name = step.bin.empty() ? plain_name(step.package) : step.bin;
  const std::string program = tree.at(files_name) + "/" + name;
  const bool there = co_await context.pool.run([&] { return !name.contains('/') && is_executable_file(program); });
  if (!there) co_return fail_install(fmt::format("the Python package {} has no program '{}'", step.package, name));
  co_return program;
}

}  // namespace sa
