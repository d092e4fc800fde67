// The input is what an agent says: bytes, and, line by line, updates of its session. Held: UTF-8 is what a plain decoder takes;
// text for people has nothing a terminal would obey and is cut between characters; a JSON string says the text; every event of
// a turn is one line of JSON.
// Inputs: at most 768 bytes.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <string>

#include "base/json_scan.h"
#include "base/output_tail.h"
#include "base/utf8.h"
#include "cli/console.h"
#include "cli/form_question.h"
#include "cli/permission_desk.h"
#include "cli/plain_text.h"
#include "cli/tool_words.h"
#include "cli/turn_view.h"
#include "client/message.h"
#include "fuzz_input.h"

namespace sa::fuzz {
namespace {

namespace json = boost::json;

// The code point at the start and its length; 0 for none.
std::pair<std::uint32_t, std::size_t> decode(std::string_view bytes) {
  const auto first = static_cast<std::uint8_t>(bytes[0]);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
  if (length == 0 || bytes.size() < length) return {0, 0};
  std::uint32_t point = first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<std::uint8_t>(bytes[i]);
    if (next >> 6 != 2) return {0, 0};
    point = point << 6 | (next & 0x3Fu);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool right = point >= least[length] && point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF);
  return {right ? point : 0, right ? length : 0};
}

struct Plain {
  bool is_utf8 = true, is_printable = true;
  std::string mended;
  std::size_t characters = 0;
};

Plain read_plainly(std::string_view bytes) {
  Plain plain;
  while (!bytes.empty()) {
    const auto [point, length] = decode(bytes);
    plain.is_utf8 = plain.is_utf8 && length > 0;
    plain.is_printable = plain.is_printable && length > 0 && point >= 0x20 && (point < 0x7F || point > 0x9F);
    plain.mended += length > 0 ? bytes.substr(0, length) : "\xEF\xBF\xBD";
    ++plain.characters;
    bytes.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return plain;
}

void check_utf8(std::string_view bytes) {
  const Plain plain = read_plainly(bytes);
  hold(is_utf8(bytes) == plain.is_utf8, "UTF-8 is what a plain decoder takes");
  hold(is_printable_utf8(bytes) == plain.is_printable, "and printable without controls");
  hold(repair_utf8(bytes, 3 * bytes.size()) == plain.mended, "what is malformed is replaced");
  const std::string cut = repair_utf8(bytes, 10);
  hold(cut.size() <= 10 && is_utf8(cut) && plain.mended.starts_with(cut), "what is cut is cut between characters");
  hold(cut.size() == plain.mended.size() || plain.mended.size() > 10, "and only when it must be");
  std::string token;
  append_json_string(token, bytes);
  json::error_code error;
  const json::value value = json::parse(token, error);
  hold(!error && value.is_string() && std::string_view(value.get_string()) == plain.mended, "a JSON string says the text");

  const std::string line = one_line(plain.mended, 12), all = harmless(plain.mended);
  hold(is_printable_utf8(line), "a line has nothing a terminal would obey");
  hold(read_plainly(line).characters <= 13, "and is short");
  std::string without_lines = all;
  std::erase_if(without_lines, [](char c) { return c == '\n' || c == '\t'; });
  hold(is_printable_utf8(without_lines), "nor has a text");
  hold(std::ranges::count(all, '\n') == std::ranges::count(plain.mended, '\n'), "whose lines stay");
  hold(inert(plain.mended, false) == all, "nor has one without colours");
  std::string coloured = inert(plain.mended, true);
  for (const std::string_view code : {"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m"})
    for (std::size_t at = 0; (at = coloured.find(code)) != std::string::npos;) coloured.replace(at, code.size(), "|");
  hold(harmless(coloured) == coloured, "and with colours these alone are obeyed");
}

void check_tail(std::string_view bytes) {
  OutputTail tail(16);
  for (std::string_view rest = bytes; !rest.empty(); rest.remove_prefix(std::min<std::size_t>(rest.size(), 7)))
    tail.append(rest.substr(0, 7));
  hold(tail.text() == repair_utf8(bytes.substr(bytes.size() - std::min<std::size_t>(bytes.size(), 16)), 48), "the end is kept");
  hold(is_utf8(tail.last_lines()) && std::ranges::count(tail.last_lines(), '\n') <= 20, "and told by lines");
}

// stdout, which the console writes to, is a file here.
class Shown {
 public:
  Shown() : file_(::open("/dev/shm", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)) {
    hold(::dup2(file_, STDOUT_FILENO) >= 0, "there is a file");
  }
  std::string take() const {
    const off_t size = ::lseek(file_, 0, SEEK_CUR);
    std::string all(static_cast<std::size_t>(size), '\0');
    hold(::pread(file_, all.data(), all.size(), 0) == size, "what was shown is read");
    hold(::ftruncate(file_, 0) == 0 && ::lseek(file_, 0, SEEK_SET) == 0, "and forgotten");
    return all;
  }

 private:
  int file_;
};

void check_turn(std::string_view lines) {
  static const Shown output;
  Console console(ConsoleWishes{.json = true, .quiet = true});
  TurnView view(console);
  view.begin();
  std::size_t updates = 0;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    const auto value = read_json(line);
    if (!value || !value->is_object()) continue;
    const json::object& update = value->get_object();
    if (++updates > 16) break;
    view.show(update);
    const PermissionQuestion question = read_question({"1", "session/request_permission", update}, view);
    hold(is_printable_utf8(question.title), "a question is for people");
    for (const DetailLine& detail : tool_details(question.tool_call))
      hold(is_printable_utf8(detail.text), "so is what it is about");
    hold(is_printable_utf8(form_message(update)), "so is a form");
    for (const std::string& field : form_lines(update)) hold(is_printable_utf8(field), "and each of its fields");
    for (const bool allow : {true, false}) {
      const PermissionOption* option = choose_option(question, allow);
      hold(!option || option->kind.starts_with(allow ? "allow" : "reject"), "a rule chooses what it says");
    }
    view.end(update);
  }
  const std::string shown = output.take();
  hold(shown.empty() || shown.ends_with('\n'), "an event ends with its line");
  for (std::string_view rest = shown; !rest.empty(); rest.remove_prefix(rest.find('\n') + 1))
    hold(scan_json(rest.substr(0, rest.find('\n'))).kind == JsonKind::object, "an event is JSON");
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sa::fuzz;
  const std::string_view input = text_of(data, size);
  check_utf8(input);
  check_tail(input);
  check_turn(input);
  return 0;
}
