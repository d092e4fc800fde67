// The first byte chooses what is wished for; the rest is a registry's document. Held: only the entry asked for must be well
// shaped; what it has installed is a package by name and exact version, or an archive with a right hash and a program in it; it
// sets no variable that changes how processes are plumbed; the launch script gives every word as it is.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "agents/archive_install.h"
#include "agents/install_plan.h"
#include "agents/launch_script.h"
#include "agents/registry_document.h"
#include "base/words.h"
#include "documents.h"
#include "fuzz_input.h"

namespace sa::fuzz {
namespace {

const Manifest& pinned() {
  static const Manifest manifest = *read_manifest(
      R"({"id":"a","name":"A","registry":["a","b"],"process":{"npm":{"package":"p","version":"1.0.0","bin":"x"},"env":{"PATH":"kept"}},)"
      R"("native":{"program":"tool","npm":{"package":"t","version":"2"}}})");
  return manifest;
}
const Manifest& bare() {
  static const Manifest manifest = *read_manifest(R"({"id":"a","name":"A","registry":["b","a"],"platforms":["linux-x86_64"]})");
  return manifest;
}

bool is_word(std::string_view text, std::string_view marks) {
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || marks.contains(c);
  });
}

// The names on the way, without those that lead nowhere.
std::vector<std::string_view> names_in_path(std::string_view path) {
  std::vector<std::string_view> names;
  for (;;) {
    const std::string_view name = path.substr(0, path.find('/'));
    if (!name.empty() && name != ".") names.push_back(name);
    if (name.size() == path.size()) return names;
    path.remove_prefix(name.size() + 1);
  }
}

void check_cmd(std::string_view cmd) {
  const auto names = names_in_path(cmd);
  const bool is_below = !names.empty() && !cmd.starts_with('/') && cmd.find_first_of(std::string_view("\\\0", 2)) == cmd.npos &&
                        std::ranges::find(names, "..") == names.end();
  const auto program = program_below(cmd);
  hold(program.has_value() == is_below, "a program lies in its archive");
  if (!program) return hold_refusal(program.error());
  hold(*program == fmt::format("{}", fmt::join(names, "/")), "by the way that is named");
}

void check_step(const NpmStep& step) {
  const std::size_t slash = std::min(step.package.find('/'), step.package.size());
  const bool scoped = step.package.starts_with('@');
  hold(scoped == (slash < step.package.size()), "only a scope has a slash");
  hold(!step.package.starts_with('-') && !step.package.starts_with('.'), "a package is no option and no path");
  const std::string_view name = std::string_view(step.package).substr(scoped ? slash + 1 : 0);
  hold(is_word(name, "._-~") && !name.starts_with('.') && !name.starts_with('-'), "a package is a name");
  hold(is_word(step.version, ".+-_") && is_word(step.version.substr(0, 1), ""), "a version is no path and no address");
}
void check_step(const UvStep& step) {
  hold(is_word(step.package, "._-[],=@+!") && !step.package.starts_with('-') && !step.package.starts_with('.'),
       "a Python package is a name and a version");
}
void check_step(const ArchiveStep& step) {
  hold(!step.url.empty() && !step.cmd.empty(), "an archive has an address and a program");
  hold(step.sha256.empty() ||
           (step.sha256.size() == 64 && step.sha256.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos),
       "its hash is one");
  check_cmd(step.cmd);
}

bool is_plumbing_plainly(std::string name) {
  std::ranges::transform(name, name.begin(), [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  for (const std::string_view exact : {"PATH", "HOME", "SHELL", "IFS", "ENV", "BASH_ENV", "TMPDIR", "HTTPS_PROXY", "NODE"})
    if (name == exact) return true;
  for (const std::string_view beginning : {"LD_", "NODE_", "NPM_", "PYTHON", "GIT_", "SSL_", "SANDBOX_AGENT_"})
    if (name.starts_with(beginning)) return true;
  return false;
}

void check_script(const ProcessPlan& plan) {
  const LaunchScript script{"title\nwith a line end", "/p", plan.args, plan.env, {"/bin here"}};
  const std::string text = to_text(script);
  if (text.contains('\0')) return;  // what no argument can hold
  const auto words = split_words(text.substr(text.find("PATH=")));
  hold(words.has_value(), "quotes of a script are closed");
  std::vector<std::string> expected = script.args;
  expected.insert(expected.end(), {"exec", "/p", "$@"});
  const bool ends_so =
      words->size() >= expected.size() &&
      std::ranges::equal(expected,
                         std::ranges::subrange(words->end() - static_cast<std::ptrdiff_t>(expected.size()), words->end()));
  hold(ends_so, "every word of a script is as it was");
}

void check_plan(const Manifest& manifest, const RegistryFinding& finding, const InstallWishes& wishes) {
  const auto plan = plan_install(manifest, finding, wishes, "linux-x86_64");
  if (!plan) {
    hold(plan.error().code == ErrorCode::install_failed, "what cannot be installed is a failed install");
    return hold_refusal(plan.error());
  }
  std::visit([](const auto& step) { check_step(step); }, plan->process.step);
  for (const auto& [name, value] : plan->process.env) {
    const bool known = manifest.process && manifest.process->env.contains(name);
    hold(known || (!is_plumbing_plainly(name) && is_variable_name(name)), "a registry sets no plumbing");
    hold(!value.contains('\0'), "a variable's value ends at its end");
  }
  check_script(plan->process);
}

void check(std::uint8_t how, std::string_view document) {
  for (const Manifest* manifest : {&pinned(), &bare()}) {
    auto entry = find_in_registry(document, manifest->registry);
    if (!entry) {
      hold_refusal(entry.error());
      continue;
    }
    hold(is_registry(document), "what lists an agent is a registry");
    const InstallWishes wishes{.agent_version = how & 1 ? "3" : "", .process_version = how & 2 ? "1.2.3" : ""};
    const RegistryFinding finding{.entry = *entry, .reachable = (how & 4) == 0};
    check_plan(*manifest, finding, applied_to(*manifest, wishes));
  }
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 1) sa::fuzz::check(data[0], sa::fuzz::text_of(data + 1, size - 1));
  return 0;
}
