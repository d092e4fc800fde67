// How an agent goes wrong: it dies, stops listening, writes nonsense or floods.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>

#include "behaviours.h"

namespace fake {
namespace {

void write_stderr(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = write(STDERR_FILENO, bytes.data(), bytes.size());
    if (n <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

// {code | signal, answer?, updates?, stderr?}: dies; with `answer` it answers before, with `updates` it talks before.
void crash(Agent& agent, const Envelope& envelope) {
  const auto& params = envelope.params;
  for (std::int64_t n = 1; n <= number_member(params, "updates", 0); ++n) {
    agent.notify("last_words", R"({"n":)" + std::to_string(n) + "}");
  }
  if (flag_member(params, "answer")) agent.answer(envelope.id, R"({"dying":true})");
  if (const auto text = text_member(params, "stderr"); !text.empty()) write_stderr(text + "\n");
  if (const auto number = number_member(params, "signal", 0); number != 0) {
    signal(static_cast<int>(number), SIG_DFL);
    kill(getpid(), static_cast<int>(number));
    pause();
  }
  _exit(static_cast<int>(number_member(params, "code", 1)));
}

// Never reads again; lines already in its buffer are lost to it too. Answers nothing.
void deaf(Agent& agent, const Envelope&) { agent.become_deaf(); }

// Reads on, answers nothing, this one included.
void silent(Agent& agent, const Envelope&) { agent.become_silent(); }

// This request only is never answered.
void never(Agent&, const Envelope&) {}

// {hex}: exactly these bytes on standard output, and no answer.
void utter(Agent& agent, const Envelope& envelope) { agent.mouth().utter(from_hex(text_member(envelope.params, "hex"))); }

// One line of every kind of nonsense, then the answer.
void malformed(Agent& agent, const Envelope& envelope) {
  using std::string_view_literals::operator""sv;
  static constexpr std::string_view nonsense[] = {
      "not json"sv,
      "{\"cut\":"sv,
      "{\"bad utf8\":\"\xc3\x28\xff\"}"sv,
      "\xff\xfe\xfd"sv,
      "{\"control\":\"\x01\"}"sv,
      "nul \0 inside"sv,
      "carriage\rreturn"sv,
      "{} {}"sv,
      "]"sv,
      "\xef\xbb\xbf{}"sv,
  };
  for (const auto line : nonsense) agent.mouth().utter(std::string(line) + "\n");
  agent.answer(envelope.id, R"({"nonsense":)" + std::to_string(std::size(nonsense)) + "}");
}

// {bytes, newline?}: one line of that many bytes; without `newline` it never ends. Answers nothing.
void giant(Agent& agent, const Envelope& envelope) {
  auto left = number_member(envelope.params, "bytes", 1 << 20);
  const std::string piece(1 << 20, 'g');
  const bool whole = flag_member(envelope.params, "newline");
  if (whole) agent.mouth().utter("\"");
  for (left -= whole ? 2 : 0; left > 0; left -= static_cast<std::int64_t>(piece.size())) {
    agent.mouth().utter(std::string_view(piece).substr(0, static_cast<std::size_t>(std::min<std::int64_t>(left, 1 << 20))));
  }
  if (whole) agent.mouth().utter("\"\n");
}

// {bytes, text?}: floods standard error (or says `text` there), then answers.
void stderr_flood(Agent& agent, const Envelope& envelope) {
  if (const auto text = text_member(envelope.params, "text"); !text.empty()) {
    write_stderr(text + "\n");
  } else {
    const std::string line(79, 'e');
    for (auto left = number_member(envelope.params, "bytes", 1 << 20); left > 0; left -= 80) write_stderr(line + "\n");
    write_stderr("end of flood\n");
  }
  agent.answer(envelope.id, R"({"flooded":true})");
}

// Closes a standard stream and lives on.
void close_stdin(Agent& agent, const Envelope& envelope) {
  agent.become_deaf();
  close(STDIN_FILENO);
  agent.answer(envelope.id, R"({"closed":"stdin"})");
}
void close_stdout(Agent& agent, const Envelope& envelope) {
  agent.answer(envelope.id, R"({"closed":"stdout"})");
  close(STDOUT_FILENO);
}

constexpr BehaviourRow rows[] = {
    {"crash", crash},
    {"deaf", deaf},
    {"silent", silent},
    {"never", never},
    {"utter", utter},
    {"malformed", malformed},
    {"giant", giant},
    {"stderr", stderr_flood},
    {"close_stdin", close_stdin},
    {"close_stdout", close_stdout},
};

}  // namespace

std::span<const BehaviourRow> fault_behaviours() { return rows; }

}  // namespace fake
