// What an agent says, how fast and in which order. All of it is well-formed.
#include <algorithm>

#include "behaviours.h"

namespace fake {
namespace {

// A notification of exactly `bytes` bytes (if that is enough for the frame) that carries its number in the series.
void number_line(std::string& line, std::int64_t number, std::size_t bytes) {
  line.assign(R"({"jsonrpc":"2.0","method":"burst","params":{"n":)");
  line += std::to_string(number);
  line += R"(,"pad":")";
  line.append(bytes > line.size() + 3 ? bytes - line.size() - 3 : 0, 'x');
  line += R"("}})";
}

// {count, bytes}: numbered notifications as fast as the pipe takes them, then the answer.
void burst(Agent& agent, const Envelope& envelope) {
  const auto count = number_member(envelope.params, "count", 10);
  const auto bytes = static_cast<std::size_t>(number_member(envelope.params, "bytes", 200));
  const std::string id(envelope.id);
  std::string line;
  for (std::int64_t n = 1; n <= count; ++n) {
    number_line(line, n, bytes);
    agent.mouth().say_buffered(line);
  }
  agent.mouth().flush();
  agent.answer(id, R"({"said":)" + std::to_string(count) + "}");
}

struct Series {
  std::string id;
  std::int64_t count;
  std::int64_t rate;
  std::size_t bytes;
  std::int64_t said;
  Agent::Clock::time_point start;
};

void continue_series(Agent& agent, Series series) {
  const auto elapsed = std::chrono::duration<double>(Agent::Clock::now() - series.start).count();
  const auto due = std::min(series.count, static_cast<std::int64_t>(elapsed * static_cast<double>(series.rate)) + 1);
  std::string line;
  while (series.said < due) {
    number_line(line, ++series.said, series.bytes);
    agent.mouth().say_buffered(line);
  }
  agent.mouth().flush();
  if (series.said >= series.count) return agent.answer(series.id, R"({"said":)" + std::to_string(series.count) + "}");
  agent.after(std::chrono::milliseconds(1), [&agent, series] { continue_series(agent, series); });
}

// {count, rate, bytes}: numbered notifications, `rate` per second, then the answer; lines are heard meanwhile.
void paced(Agent& agent, const Envelope& envelope) {
  continue_series(agent, {.id = std::string(envelope.id),
                          .count = number_member(envelope.params, "count", 100),
                          .rate = number_member(envelope.params, "rate", 1000),
                          .bytes = static_cast<std::size_t>(number_member(envelope.params, "bytes", 200)),
                          .said = 0,
                          .start = Agent::Clock::now()});
}

// {release}: keeps requests until that many are held, then answers them, the last first.
void hold(Agent& agent, const Envelope& envelope) {
  agent.held().emplace_back(envelope.id, envelope.params);
  if (agent.held().size() < static_cast<std::size_t>(number_member(envelope.params, "release", 2))) return;
  for (auto& [id, params] : agent.held()) agent.notify("holding", R"({"id":)" + quoted(id) + "}");
  for (auto it = agent.held().rbegin(); it != agent.held().rend(); ++it) agent.answer(it->first, it->second);
  agent.held().clear();
}

// {as}: answers with the id spelled as given.
void respell(Agent& agent, const Envelope& envelope) {
  agent.answer(text_member(envelope.params, "as"), R"({"respelled":true})");
}

// {ms}: answers that much later and hears other lines meanwhile.
void slow(Agent& agent, const Envelope& envelope) {
  agent.after(std::chrono::milliseconds(number_member(envelope.params, "ms", 100)),
              [&agent, id = std::string(envelope.id)] { agent.answer(id, R"({"slow":true})"); });
}

// {count}: the answer first, then that many notifications.
void answer_then_more(Agent& agent, const Envelope& envelope) {
  agent.answer(envelope.id, R"({"more":true})");
  for (std::int64_t n = 1; n <= number_member(envelope.params, "count", 3); ++n) {
    agent.notify("more", R"({"n":)" + std::to_string(n) + "}");
  }
}

// {bytes}: an answer of about that size.
void big(Agent& agent, const Envelope& envelope) {
  const auto bytes = static_cast<std::size_t>(number_member(envelope.params, "bytes", 1 << 20));
  agent.answer(envelope.id, '"' + std::string(bytes, 'b') + '"');
}

// {id}: asks the client something, with this raw id; every answer that arrives is reported as `heard_answer`.
void ask(Agent& agent, const Envelope& envelope) {
  const auto given = member(envelope.params, "id");
  std::string line = R"({"jsonrpc":"2.0","id":)";
  line.append(given.empty() ? "0" : given);
  line += R"(,"method":"session/request_permission","params":{"options":[{"optionId":"yes"},{"optionId":"no"}]}})";
  agent.mouth().say(line);
  agent.answer(envelope.id, R"({"asked":true})");
}

// {count, bytes}: asks the client that many times, with ids of about that size, then answers.
void ask_at_length(Agent& agent, const Envelope& envelope) {
  const std::string padding(static_cast<std::size_t>(number_member(envelope.params, "bytes", 1000)), 'i');
  for (std::int64_t n = 1; n <= number_member(envelope.params, "count", 1); ++n) {
    agent.mouth().say(R"({"jsonrpc":"2.0","id":")" + std::to_string(n) + padding + R"(","method":"ask"})");
  }
  agent.answer(envelope.id, R"({"asked":true})");
}

// An error of the agent's own.
void refuse(Agent& agent, const Envelope& envelope) {
  std::string line = R"({"jsonrpc":"2.0","id":)";
  line.append(envelope.id).append(R"(,"error":{"code":-32601,"message":"no such method"}})");
  agent.mouth().say(line);
}

constexpr BehaviourRow rows[] = {
    {"burst", burst},
    {"paced", paced},
    {"hold", hold},
    {"respell", respell},
    {"slow", slow},
    {"big", big},
    {"ask", ask},
    {"refuse", refuse},
    {"answer_then_more", answer_then_more},
    {"ask_at_length", ask_at_length},
};

}  // namespace

std::span<const BehaviourRow> speech_behaviours() { return rows; }

}  // namespace fake
