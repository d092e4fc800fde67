// Does a trace keep to JSON-RPC and to ACP? Lines go in as they come, findings come out, at most 20 for a line. Remembers the
// ids that were asked and answered, nothing else of the messages. One thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/acp_methods.h"
#include "client/trace.h"

namespace sa {

// An error breaks a rule; a warning is likely a mistake; a note is worth knowing.
enum class FindingLevel : std::uint8_t { error, warning, note };
template <>
struct Words<FindingLevel> {
  static constexpr std::string_view all[] = {"error", "warning", "note"};
};

struct Finding {
  FindingLevel level = FindingLevel::error;
  std::size_t line = 0;  // from 1
  std::optional<std::uint64_t> seq{};
  std::optional<Speaker> direction{};
  std::optional<std::string> method{};  // of the message, or of the request it answers
  std::string path{};                   // such as "params.update.sessionUpdate"; empty: the whole message
  std::string sentence{};
};

template <>
struct Shape<Finding> {
  using E = Finding;
  static constexpr std::string_view name = "TraceFinding";
  static constexpr std::string_view help = "Something a trace check found.";
  static constexpr std::tuple fields{
      Field{"level", &E::level, "An error breaks a rule, a warning is likely a mistake, a note is worth knowing."},
      Field{"line", &E::line, "The line of the trace, from 1."},
      Field{"seq", &E::seq, "The event number, of an agent's message."},
      Field{"direction", &E::direction, "Who said it."},
      Field{"method", &E::method, "The method of the message, or of the request it answers."},
      Field{"path", &E::path, "The member at fault; empty for the message itself."},
      Field{"sentence", &E::sentence, "What is wrong."},
  };
};

class TraceChecker {
 public:
  // The next line, without its newline. Blank ones are passed over.
  std::vector<Finding> feed(std::string_view line);
  // There are no more: what is left open.
  std::vector<Finding> end();

  std::size_t messages() const { return messages_; }

 private:
  struct Request {
    Finding about;                // the message itself
    std::size_t answered_in = 0;  // the line; 0: it is open
  };
  using Requests = std::map<std::string, Request, std::less<>>;  // by the identity of their ids
  struct Envelope;

  void check_gap(const TraceGap& gap);
  void check_number(const TraceMessage& message);
  void check_message(const TraceMessage& message);
  void check_envelope(const Envelope& envelope);
  void check_call(const Envelope& envelope);
  void check_method(const AcpMethod& method, const Envelope& envelope);
  void open_request(const Envelope& envelope);
  void check_answer(const Envelope& envelope);
  const Request* close_request(const Envelope& envelope);
  void say(FindingLevel level, std::string path, std::string sentence);

  Requests& asked_by(Speaker speaker) { return speaker == Speaker::client ? client_asked_ : agent_asked_; }

  Requests client_asked_;
  Requests agent_asked_;
  std::optional<std::uint64_t> last_seq_;
  std::size_t line_ = 0;
  std::size_t messages_ = 0;
  bool incomplete_ = false;      // something is missing: not every answer has its request here
  bool filtered_ = false;        // messages were left out on purpose
  bool heard_client_ = false;    // a trace may be without what clients said,
  bool said_one_sided_ = false;  // which is said once
  Finding about_;                // the message at hand, for what is found in it
  std::vector<Finding> found_;
};

}  // namespace sa
