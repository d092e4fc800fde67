// The lines are the words of a command line. Held: a command is the longest name the words begin with; options are what was
// given, however they were joined with their values; settings say the number that was written; a request made of `api …` has a
// target and a body that can be sent; what completion offers goes on with what was begun; shell words are as a shell reads
// them.
// Inputs: at most 256 bytes.
#include <algorithm>
#include <string>

#include "base/json_scan.h"
#include "base/settings.h"
#include "base/shell_words.h"
#include "base/utf8.h"
#include "base/words.h"
#include "cli/api_request.h"
#include "cli/commands.h"
#include "cli/completion_candidates.h"
#include "fuzz_input.h"

namespace sa::fuzz {
namespace {

using Words = std::vector<std::string_view>;

std::string joined(std::span<const std::string_view> words) {
  std::string all;
  for (const std::string_view& word : words) all += (&word == words.data() ? "" : " ") + std::string(word);
  return all;
}

void check_found(const Words& words, const FoundCommand& found) {
  std::size_t longest = 0;
  for (std::size_t count = 1; count <= std::min<std::size_t>(words.size(), 4); ++count)
    for (const Command* command : commands())
      if (command->name == joined(std::span(words).first(count))) longest = count;
  hold(found.words == longest && (found.command != nullptr) == (longest > 0), "the longest name that fits is the command");
  if (found.command) hold(found.command->name == joined(std::span(words).first(longest)), "and it is that one");
}

// Reads files and stdin where the words say so: not here.
bool reads_something(const ApiCall& call, const Words& words) {
  for (const ApiInput& input : call.inputs)
    if (input.place == ApiInput::Place::file) return true;
  return std::ranges::any_of(words, [](std::string_view word) {
    return word.starts_with('@') || word.contains("=@") || word == "-" || word.ends_with("=-");
  });
}

void check_request(const Command& command, const Words& words, const Invocation& given) {
  const ApiCall& call = api_call_of(command);
  if (reads_something(call, words)) return;
  static const StopFlag stop = false;
  const auto request = api_request(call, given, stop);
  if (!request) return hold(request.error().exit == Exit::usage && !request.error().what.empty(), "a wrong use is told");
  const auto is_visible = [](char c) { return c > ' ' && c < 0x7f; };
  hold(request->target.starts_with('/') && std::ranges::all_of(request->target, is_visible), "a target can be sent");
  hold(std::ranges::count(request->target, '/') == std::ranges::count(call.endpoint->pattern, '/'),
       "no word makes a new segment");
  hold(!request->target.contains('{'), "every hole of the path is filled");
  for (const ApiInput& input : call.inputs)
    if (input.place == ApiInput::Place::member && given.has(input.name) && !given.has("--body"))
      hold(scan_json(request->body).kind == JsonKind::object, "members make an object");
}

void check_invocation(const Command& command, const Words& words) {
  const auto given = Invocation::parse(command, words);
  if (!given) return hold(given.error().exit == Exit::usage && !given.error().what.empty(), "a wrong use is told");
  std::size_t values = 0;
  for (const Option& option : options_of(command)) {
    const auto all = given->values(option.name);
    values += all.size();
    hold(given->has(option.name) == !all.empty(), "an option is there when it has a value");
    if (!all.empty()) hold(given->value(option.name) == all.back(), "the last one counts");
    for (const std::string& value : all)
      hold(option.value.empty() || std::ranges::any_of(words, [&](std::string_view word) { return word.ends_with(value); }),
           "a value was given");
  }
  hold(values + given->arguments().size() + given->rest().size() <= words.size(), "no word counts twice");
  if (command.name.starts_with("api ") && !given->wants_help()) check_request(command, words, *given);
}

bool is_whole(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == text.npos; }

void check_settings(const Words& words) {
  const auto nothing = [](std::string_view) { return std::optional<std::string>(); };
  const auto settings = parse_settings(words, nothing);
  std::vector<std::string> split;                                     // the same words, values on their own
  for (bool is_value = false; const std::string_view word : words) {  // of the flag before it
    const std::size_t equals = word.starts_with("--") ? std::min(word.find('='), word.size()) : word.size();
    const auto row = std::ranges::find_if(setting_rows(), [flag = word.substr(0, equals)](const SettingRow& one) {
      return one.flag == flag || (!one.short_flag.empty() && one.short_flag == flag);
    });
    const bool takes_one = !is_value && row != setting_rows().end() && !row->value.empty();
    const bool apart = takes_one && equals < word.size();
    split.emplace_back(apart ? word.substr(0, equals) : word);
    if (apart) split.emplace_back(word.substr(equals + 1));
    is_value = takes_one && !apart;
  }
  const auto again = parse_settings(Words(split.begin(), split.end()), nothing);
  hold(again.has_value() == settings.has_value(), "a value may be joined to its flag or follow it");
  if (!settings) return hold(settings.error().code == ErrorCode::invalid_request, "a wrong flag is told");
  hold(limits_in_force(*settings) == limits_in_force(*again) && settings->host == again->host, "and means the same");
  for (std::size_t i = 0; i + 1 < split.size(); ++i)
    if (split[i] == "--ring-bytes" && std::ranges::count(split, "--ring-bytes") == 1 && is_whole(split[i + 1]) &&
        (i == 0 || !split[i - 1].starts_with("--")))
      hold(settings->instances.ring.max_bytes == std::stoull(split[i + 1]), "a number is what was written");
}

void check_environment(std::string_view value) {
  const auto settings = parse_settings({}, [&](std::string_view name) -> std::optional<std::string> {
    return name == "SANDBOX_AGENT_PORT" ? std::optional(std::string(value)) : std::nullopt;
  });
  const std::string_view digits = value.substr(std::min(value.find_first_not_of('0'), value.size()));
  const bool fits = is_whole(value) && digits.size() <= 5 && (digits.empty() || std::stoul(std::string(digits)) <= 65'535);
  hold(settings.has_value() == (value.empty() || fits), "a port is a number up to 65535");
  if (settings && !value.empty())
    hold(settings->port == (digits.empty() ? 0 : std::stoul(std::string(digits))), "and that one");
}

void check_completion(const Words& words) {
  static const CompletionSources sources{.agents = [] { return std::vector<Candidate>{{"mock", "the demo agent"}}; },
                                         .instances = [] { return std::vector<Candidate>{{"main", ""}}; }};
  const Candidates found = complete_words(words, sources);
  const std::string_view begun =
      words.empty() || words.back() == "=" ? std::string_view() : words.back();  // some shells cut there
  for (const Candidate& candidate : found.words) {
    const std::string_view beginning = begun.starts_with("--") && begun.contains('=') && !candidate.word.starts_with("--")
                                           ? begun.substr(begun.find('=') + 1)
                                           : begun;
    hold(candidate.word.starts_with(beginning), "a candidate goes on with what was begun");
  }
}

// One word of a POSIX shell after the other, without expansion.
std::optional<std::vector<std::string>> split_plainly(std::string_view line) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  const auto add = [&](char c) { word = word.value_or("") + c; };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == ' ' || c == '\t' || c == '\n') {
      if (word) words.push_back(*std::exchange(word, std::nullopt));
    } else if (c == '\'') {
      const std::size_t end = line.find('\'', i + 1);
      if (end == line.npos) return std::nullopt;
      word = word.value_or("") + std::string(line.substr(i + 1, end - i - 1));
      i = end;
    } else if (c == '"') {
      word = word.value_or("");
      for (++i; i < line.size() && line[i] != '"'; ++i) {
        const bool protects = line[i] == '\\' && i + 1 < line.size() && std::string_view("$`\"\\\n").contains(line[i + 1]);
        if (protects) ++i;
        if (!protects || line[i] != '\n') add(line[i]);
      }
      if (i >= line.size()) return std::nullopt;
    } else if (c == '\\' && i + 1 < line.size()) {
      if (line[++i] != '\n') add(line[i]);
    } else {
      add(c);
    }
  }
  if (word) words.push_back(*word);
  return words;
}

void check_shell(std::string_view line) {
  hold(split_words(line) == split_plainly(line), "words are those a shell sees");
  hold(split_words(shell_quoted(line)) == std::vector{std::string(line)}, "a quoted text is one word");
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sa::fuzz;
  const std::string_view input = text_of(data, size);
  if (input.contains('\0')) return -1;  // no word can hold it
  Words words;
  for (std::string_view rest = input; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find('\n'));
    words.push_back(word);
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  }
  if (words.size() > 24) return -1;
  check_shell(input);
  check_environment(words.empty() ? input : words[0]);
  const sa::FoundCommand found = sa::find_command(words);
  check_found(words, found);
  check_completion(words);
  if (!found.command) return check_settings(words), 0;
  check_invocation(*found.command, Words(words.begin() + static_cast<std::ptrdiff_t>(found.words), words.end()));
  return 0;
}
