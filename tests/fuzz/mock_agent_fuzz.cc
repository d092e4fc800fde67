// The first two bytes cut the rest, which a client writes to the demo agent. Held: lines are cut at newlines and nowhere else,
// one that is too long is told; everything the agent says is one JSON message per line; each request is answered once at
// most, under its own id, and nobody else is; the agent always comes to rest.
// Inputs: at most 640 bytes.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <string>

#include "base/id_key.h"
#include "base/json_scan.h"
#include "base/unique_fd.h"
#include "fuzz_input.h"
#include "mock_agent/agent.h"
#include "mock_agent/mock_agent.h"
#include "mock_agent/scenes/words.h"

namespace sa::fuzz {
namespace {

constexpr std::size_t longest_line = 300;
constexpr int most_steps = 40;  // of scenes; a flood is cut

MockOptions options() {
  static const UniqueFd nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  MockOptions quick;
  quick.slow_delay = quick.step_delay = std::chrono::milliseconds(0);
  quick.max_line = longest_line;
  quick.max_sessions = 4;
  quick.max_history = 2'000;
  quick.error_fd = nowhere.get();
  return quick;
}

UniqueFd nameless_file() {
  UniqueFd file(::open(::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  hold(static_cast<bool>(file), "there is a file");
  return file;
}

// What a client says: a file that grows while the agent reads it. One for all inputs, and so is its reader.
class Saying {
 public:
  mock::LineInput& reader() { return reader_; }
  void say(std::string_view piece) {
    hold(::pwrite(file_.get(), piece.data(), piece.size(), size_) == static_cast<ssize_t>(piece.size()), "the agent is told");
    size_ += static_cast<off_t>(piece.size());
  }
  void forget() {
    hold(::ftruncate(file_.get(), 0) == 0 && ::lseek(file_.get(), 0, SEEK_SET) == 0, "what was said is forgotten");
    size_ = 0;
  }

 private:
  UniqueFd file_ = nameless_file();
  off_t size_ = 0;
  mock::LineInput reader_{file_.get(), longest_line};
};

// What a client hears, in a file that is emptied for each input.
class Hearing {
 public:
  int descriptor() const { return file_.get(); }
  std::string take() const {
    const off_t size = ::lseek(file_.get(), 0, SEEK_CUR);
    std::string all(static_cast<std::size_t>(size), '\0');
    hold(::pread(file_.get(), all.data(), all.size(), 0) == size, "what was said is read");
    hold(::ftruncate(file_.get(), 0) == 0 && ::lseek(file_.get(), 0, SEEK_SET) == 0, "and forgotten");
    return all;
  }

 private:
  UniqueFd file_ = nameless_file();
};

class Client {
 public:
  void say(const mock::Line& line) {
    ++said_;
    const JsonScan scan = scan_json(line.text);
    if (!scan.members.method.empty() && !scan.members.id.empty()) ++asked_[id_key(scan.members.id)];
  }
  void hear(std::string_view heard) {
    while (!heard.empty()) {
      const std::size_t end = heard.find('\n');
      hold(end != heard.npos, "a message ends with a newline");
      const JsonScan scan = scan_json(heard.substr(0, end));
      hold(scan.kind == JsonKind::object, "a message is an object");
      heard.remove_prefix(end + 1);
      if (!scan.members.method.empty()) continue;
      hold(!scan.members.id.empty() && scan.members.result.empty() != scan.members.error.empty(), "an answer says one thing");
      hold(said_-- > 0, "a line is answered once at most");
      if (!scan.members.result.empty()) hold(asked_[id_key(scan.members.id)]-- > 0, "who asked gets the result");
    }
  }

 private:
  std::map<std::string, int> asked_;
  int said_ = 0;
};

void check_numbers(std::string_view text) {
  const mock::Number number = mock::number_after_name(text, 20, 1'000);
  hold(number.value <= 1'000, "a number has its limit");
  std::string_view rest = text;
  mock::take_word(rest);
  const std::string word(mock::take_word(rest));
  const bool whole = !word.empty() && word.find_first_not_of("0123456789") == word.npos;
  if (whole && word.size() < 10) hold(number.value == std::min(std::stoul(word), 1'000ul), "a number is what was written");
  if (!whole) hold(number.value == 20 && number.remark.empty() == word.empty(), "without one the usual is taken, and said");
}

void check(const CutInput& input) {
  static const MockOptions quick = options();
  static const Hearing hearing;
  static Saying saying;
  Client client;
  std::string lines;
  {
    mock::LineInput& reader = saying.reader();
    mock::LineOutput writer(hearing.descriptor());
    mock::Agent agent(quick, writer);
    const auto take_lines = [&] {
      while (const auto line = reader.next()) {
        lines.append(line->too_long ? "…" : line->text).append("\n");
        client.say(*line);
        agent.handle(*line);
        for (int step = 0; step < most_steps && agent.wake_at(); ++step) agent.advance();
      }
    };
    for (const std::string_view piece : input.few(8)) {
      saying.say(piece);
      hold(reader.fill(), "there is more");
      take_lines();
    }
    hold(!reader.fill(), "the end is noticed");
    take_lines();
    saying.forget();
    hold(writer.flush(), "somebody listens");
  }
  client.hear(hearing.take());

  std::string expected;
  for (std::string_view rest = input.whole; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    expected.append(line.size() > longest_line ? "…" : line).append("\n");
    check_numbers(line);
  }
  hold(lines == expected, "lines are cut at newlines and nowhere else");
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 2) sa::fuzz::check(sa::fuzz::CutInput(sa::fuzz::text_of(data, size)));
  return 0;
}
