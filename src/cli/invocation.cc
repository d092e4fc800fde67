#include "cli/invocation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/nearest.h"
#include "cli/environment.h"

namespace sa {
namespace {

constexpr Option server_options[] = {
    {"--endpoint", "", "URL", "the daemon to talk to; else SANDBOX_AGENT_URL, else the one that runs here"},
    {"--token-file", "", "FILE", "file that holds its token; else SANDBOX_AGENT_TOKEN, else what the daemon keeps",
     Completes::file},
    {"--token", "", "TOKEN", "its token (visible in process lists; prefer the file or the variable)"},
};

constexpr Option common_options[] = {
    {"--json", "", "", "print the result as JSON, one document per line"},
    {"--quiet", "-q", "", "no status lines"},
    {"--verbose", "-v", "", "also what happens underneath, and causes in full"},
    {"--color", "", "WHEN", "colours: auto, always or never (NO_COLOR is heeded)", Completes::words, "auto always never"},
    {"--no-input", "", "", "never ask, even on a terminal"},
    {"--help", "-h", "", "explain the command"},
};

Option option_of(const SettingRow& row) {
  return {.name = row.flag,
          .short_name = row.short_flag,
          .value = row.value,
          .help = row.help,
          .completes = row.value == "FILE"  ? Completes::file
                       : row.value == "DIR" ? Completes::folder
                                            : Completes::nothing};
}

bool is_common(std::string_view name) {
  return std::ranges::find(common_options, name, &Option::name) != std::end(common_options);
}

bool is_setting(const Command& command, std::string_view name) {
  if (command.shared != Shared::settings) return std::ranges::find(command.settings, name) != command.settings.end();
  return !is_common(name) && std::ranges::find(setting_rows(), name, &SettingRow::flag) != setting_rows().end();
}

std::unexpected<Failure> usage(const Command& command, std::string what) {
  return failed(
      {.exit = Exit::usage, .what = std::move(what), .what_to_do = fmt::format("sandbox-agent {} --help", command.name)});
}

// What to do with a setting of the daemon that is given to a command which does not take it; empty when it is none.
std::string advice_on_setting(const Command& command, std::string_view name) {
  const auto row = std::ranges::find_if(
      setting_rows(), [name](const SettingRow& candidate) { return candidate.flag == name || candidate.short_flag == name; });
  if (row == setting_rows().end() || (command.shared != Shared::server && command.section != Section::daemon)) return "";
  const std::string value = row->value.empty() ? "" : fmt::format(" {}", row->value);
  const bool may_start = std::ranges::find(command.options, "--idle-exit", &Option::name) != command.options.end();
  const std::string variable =
      may_start && !row->environment.empty() ? fmt::format("set {}   — or: ", row->environment) : std::string();
  return fmt::format("{}sandbox-agent daemon start {}{}", variable, row->flag, value);
}

std::unexpected<Failure> unknown_option(const Command& command, std::string_view name, const std::vector<Option>& known) {
  if (std::string advice = advice_on_setting(command, name); !advice.empty())
    return failed({.exit = Exit::usage,
                   .what = fmt::format("unknown option '{}'", name),
                   .why = "it is a setting of the daemon, which counts when that is started",
                   .what_to_do = std::move(advice)});
  std::vector<std::string_view> names;
  names.reserve(known.size());
  for (const Option& option : known) names.push_back(option.name);
  const std::string_view meant = nearest(name, names);
  return usage(command, fmt::format("unknown option '{}'{}", name, meant.empty() ? "" : fmt::format("; is it {}?", meant)));
}

Outcome<ConsoleWishes> console_wishes(const Command& command, const Invocation& given) {
  ConsoleWishes wishes{.json = given.has("--json"),
                       .quiet = given.has("--quiet"),
                       .verbose = given.has("--verbose"),
                       .no_input = given.has("--no-input")};
  const std::string when = given.value("--color");
  if (when == "always") wishes.colour = ColourWish::always;
  if (when == "never") wishes.colour = ColourWish::never;
  if (!when.empty() && when != "auto" && when != "always" && when != "never")
    return usage(command, fmt::format("'{}' is not usable for --color; it is auto, always or never", when));
  return wishes;
}

// Whether there are as many arguments as the command wants.
Outcome<void> check_arguments(const Command& command, const std::vector<std::string>& words) {
  using Count = Argument::Count;
  std::size_t least = 0, most = 0;
  bool bounded = true;
  for (const Argument& argument : command.arguments) {
    if (argument.count == Count::one || argument.count == Count::some) ++least;
    if (argument.count == Count::some || argument.count == Count::any) bounded = false;
    ++most;
  }
  if (words.size() < least) {
    const Argument& missing = command.arguments[std::min(words.size(), command.arguments.size() - 1)];
    return usage(command, fmt::format("'{}' needs {}: {}", command.name, missing.name, missing.help));
  }
  if (bounded && words.size() > most) return usage(command, fmt::format("unexpected argument '{}'", words[most]));
  return {};
}

}  // namespace

bool takes_next_word(std::string_view option) {
  const auto takes = [option](const Option& known) { return known.name == option && !known.value.empty(); };
  return std::ranges::any_of(common_options, takes) || std::ranges::any_of(server_options, takes);
}

std::vector<Option> options_of(const Command& command) {
  std::vector<Option> all(command.options.begin(), command.options.end());
  if (command.shared == Shared::server) all.insert(all.end(), std::begin(server_options), std::end(server_options));
  for (const SettingRow& row : setting_rows())
    if (is_setting(command, row.flag)) all.push_back(option_of(row));
  all.insert(all.end(), std::begin(common_options), std::end(common_options));
  return all;
}

Outcome<Invocation> Invocation::parse(const Command& command, CommandWords words) {
  Invocation given(command);
  const std::vector<Option> known = options_of(command);
  for (; !words.empty(); words = words.subspan(1)) {
    const std::string_view word = words.front();
    if (word == "--") {
      auto& rest = command.takes_rest ? given.rest_ : given.arguments_;
      rest.insert(rest.end(), words.begin() + 1, words.end());
      break;
    }
    if (!word.starts_with('-') || word == "-") {
      given.arguments_.emplace_back(word);
      continue;
    }
    const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string_view::npos;
    const std::string_view name = word.substr(0, equals);
    const auto option = std::ranges::find_if(known, [name](const Option& candidate) {
      return candidate.name == name || (!candidate.short_name.empty() && candidate.short_name == name);
    });
    if (option == known.end()) return unknown_option(command, name, known);
    std::string_view value;
    if (option->value.empty()) {
      if (equals != std::string_view::npos && !is_setting(command, option->name))
        return usage(command, fmt::format("{} takes no value", option->name));
      if (equals != std::string_view::npos) value = word.substr(equals + 1);
    } else if (equals != std::string_view::npos) {
      value = word.substr(equals + 1);
    } else {
      if (words.size() == 1)
        return usage(command, fmt::format("{} needs a value: {} {}", option->name, option->name, option->value));
      words = words.subspan(1);
      value = words.front();
    }
    if (is_setting(command, option->name)) {
      const bool bare = option->value.empty() && equals == std::string_view::npos;
      given.setting_words_.push_back(bare ? std::string(option->name) : fmt::format("{}={}", option->name, value));
    }
    given.options_[option->name].emplace_back(value);
  }
  TRY(const ConsoleWishes wishes, console_wishes(command, given));
  given.console_ = Console(wishes);
  if (!given.wants_help()) TRY_VOID(check_arguments(command, given.arguments_));
  return given;
}

bool Invocation::has(std::string_view option) const {
  const std::vector<Option> known = options_of(*command_);
  if (std::ranges::find(known, option, &Option::name) == known.end()) std::abort();
  return options_.contains(option);
}

std::vector<std::string> Invocation::values(std::string_view option) const {
  return has(option) ? options_.find(option)->second : std::vector<std::string>();
}

std::string Invocation::value(std::string_view option) const { return has(option) ? options_.find(option)->second.back() : ""; }

std::string Invocation::argument(std::size_t at) const { return at < arguments_.size() ? arguments_[at] : ""; }

Outcome<Settings> Invocation::settings() const {
  const std::vector<std::string_view> words(setting_words_.begin(), setting_words_.end());
  auto settings = parse_settings(words, from_environment);
  if (!settings) return usage(*command_, settings.error().detail);
  settings->json = console_.json();
  return *settings;
}

}  // namespace sa
