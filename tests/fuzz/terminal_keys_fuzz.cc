// The first line is what an agent asks permission for; the rest is typed on the terminal, as keys at once and as a line. Held:
// keys and lines are what was typed, until the end of input; somebody who was stopped reads nothing; a key chooses what is
// shown with it, or what the rule behind y and n would, and any other key chooses nothing. Inputs: at most 512 bytes.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "cli/permission_desk.h"
#include "cli/terminal_input.h"
#include "client/message.h"
#include "fuzz_input.h"

namespace sa::fuzz {
namespace {

constexpr std::size_t most_keys = 12;
constexpr std::size_t longest_line = 4'000;  // a terminal's

// stdin with these bytes in it and an end behind them. One file for all inputs, read anew.
class Typed {
 public:
  explicit Typed(std::string_view bytes) {
    hold(::ftruncate(file(), static_cast<off_t>(bytes.size())) == 0 &&
             ::pwrite(file(), bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()) &&
             ::lseek(file(), 0, SEEK_SET) == 0,
         "something is typed");
  }
  Typed(const Typed&) = delete;
  bool is_untouched() const { return ::lseek(file(), 0, SEEK_CUR) == 0; }

 private:
  static int file() {
    static const int opened = [] {
      const int made = ::open("/dev/shm", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
      hold(::dup2(made, STDIN_FILENO) == STDIN_FILENO, "there is a terminal");
      return made;
    }();
    return opened;
  }
};

const StopFlag going = false, stopped = true;

void check_keys(const PermissionQuestion& question, std::string_view typed) {
  const std::string_view keys = typed.substr(0, most_keys);
  const Typed input(keys);
  const bool has_enter = keys.size() == 2 && (keys[1] == '\r' || keys[1] == '\n');
  if (!keys.empty())
    hold(read_keys(going) == keys.substr(0, has_enter ? 1 : keys.size()), "keys that come at once are what was typed");
  for (const char expected : keys) {
    const PermissionOption* option = option_for_key(question, expected);
    if (expected == 'y' || expected == 'n') {
      hold(option == choose_option(question, expected == 'y'), "y and n are what the rules choose");
      hold(!option || option->kind.starts_with(expected == 'y' ? "allow" : "reject"), "and never the other way round");
      continue;
    }
    const std::size_t shown = std::string_view("123456789").find(expected);
    const bool means_one = shown != std::string_view::npos && shown < question.options.size();
    hold(option == (means_one ? &question.options[shown] : nullptr), "a digit is the option it is shown with");
  }
  hold(!read_keys(going), "the end of input is no key");
}

void check_line(std::string_view typed) {
  const std::string_view line = typed.substr(0, longest_line);
  const Typed input(line);
  hold(!read_line(stopped) && !read_keys(stopped) && input.is_untouched(), "who is stopped reads nothing");
  const auto got = read_line(going);
  hold(got.has_value() == line.ends_with('\n'), "a line ends with Enter");
  if (got) hold(*got == line.substr(0, line.size() - 1), "and is what was typed");
  hold(!read_line(going), "behind it there is nothing");
}

void check(std::string_view input) {
  const std::string_view first = input.substr(0, input.find('\n'));
  const std::string_view typed = input.substr(std::min(first.size() + 1, input.size()));
  const auto params = read_json(first);
  Console console(ConsoleWishes{.quiet = true});
  TurnView view(console);
  check_keys(params && params->is_object() ? read_question({"1", "session/request_permission", params->get_object()}, view)
                                           : PermissionQuestion(),
             typed);
  check_line(typed);
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
