#include "client/trace_check.h"

#include <fmt/format.h>

#include "base/id_key.h"
#include "base/json_scan.h"
#include "base/shape_read.h"
#include "client/trace_values.h"

namespace sa {
namespace {

namespace json = boost::json;

using enum FindingLevel;

constexpr std::size_t most_per_line = 20;

std::string_view speaker_words(Speaker speaker) { return speaker == Speaker::agent ? "the agent" : "clients"; }

bool may_call(AcpCaller caller, Speaker speaker) {
  return caller == AcpCaller::either || (caller == AcpCaller::client) == (speaker == Speaker::client);
}

bool is_id(const json::value& id) { return id.is_string() || id.is_int64() || id.is_uint64() || id.is_null(); }

}  // namespace

// A message that is an object, as bytes and as values.
struct TraceChecker::Envelope {
  const EnvelopeMembers& raw;
  const json::object& members;

  const json::value* find(std::string_view name) const { return members.if_contains(name); }
  std::string id_words() const { return in_quotes(raw.id); }
};

std::vector<Finding> TraceChecker::feed(std::string_view line) {
  found_.clear();
  about_ = {.line = ++line_};
  if (is_blank(line)) return {};
  const auto read = read_trace_line(line, line_);
  if (!read) {
    incomplete_ = true;
    say(error, "", read.error());
  } else if (const auto* gap = std::get_if<TraceGap>(&*read)) {
    check_gap(*gap);
  } else if (const auto* head = std::get_if<TraceHead>(&*read)) {
    filtered_ = head->filtered;
    if (filtered_) incomplete_ = true;
  } else {
    check_message(std::get<TraceMessage>(*read));
  }
  return std::move(found_);
}

std::vector<Finding> TraceChecker::end() {
  std::vector<Finding> open;
  for (const Requests* requests : {&client_asked_, &agent_asked_}) {
    for (const auto& [key, request] : *requests) {
      if (request.answered_in != 0) continue;
      Finding& finding = open.emplace_back(request.about);
      finding.level = note;
      finding.sentence = "The request was not answered before the trace ended.";
    }
  }
  std::ranges::sort(open, {}, &Finding::line);
  return open;
}

void TraceChecker::check_gap(const TraceGap& gap) {
  incomplete_ = true;
  if (gap.from == 0) return;
  if (last_seq_ && gap.from != *last_seq_ + 1)
    say(error, "gap.from", fmt::format("The gap begins at event {}, but the event before it is {}.", gap.from, *last_seq_));
  last_seq_ = gap.to;
}

void TraceChecker::check_number(const TraceMessage& message) {
  if (message.direction == Speaker::client) {
    if (message.seq) say(warning, "seq", "Only messages of the agent have an event number.");
    return;
  }
  if (!message.seq) return say(error, "seq", "A message of the agent must have its event number.");
  const std::uint64_t seq = *message.seq;
  if (!last_seq_ && seq != 1) {
    incomplete_ = true;
    say(note, "seq", fmt::format("The trace begins with event {}; what came before is not known.", seq));
  } else if (last_seq_ && seq <= *last_seq_) {
    say(error, "seq", fmt::format("Event {} comes after event {}: numbers only grow.", seq, *last_seq_));
  } else if (last_seq_ && seq != *last_seq_ + 1 && !filtered_) {
    incomplete_ = true;
    say(error, "seq", fmt::format("Events {} to {} are missing, and no gap says so.", *last_seq_ + 1, seq - 1));
  }
  last_seq_ = seq;
}

void TraceChecker::check_message(const TraceMessage& message) {
  ++messages_;
  about_.seq = message.seq;
  about_.direction = message.direction;
  heard_client_ = heard_client_ || message.direction == Speaker::client;
  check_number(message);
  const JsonScan scan = scan_json(message.envelope);
  if (scan.kind == JsonKind::array) return say(error, "", "The message is a batch; ACP has none.");
  if (scan.kind != JsonKind::object) return say(error, "", "The message must be an object.");
  const auto parsed = parse_json(message.envelope);
  if (!parsed) {  // well-formed, but beyond what most programs read
    incomplete_ = true;
    return say(note, "", "The message is not looked into: it nests too deep, or a string in it is half a character.");
  }
  check_envelope({scan.members, parsed->get_object()});
}

void TraceChecker::check_envelope(const Envelope& envelope) {
  const json::value* version = envelope.find("jsonrpc");
  if (!version || !version->is_string() || version->get_string() != "2.0") say(error, "jsonrpc", "'jsonrpc' must be '2.0'.");
  const json::value* id = envelope.find("id");
  if (id && !is_id(*id)) say(error, "id", "'id' must be a string or a whole number.");

  const json::value* method = envelope.find("method");
  const int answers = (envelope.find("result") != nullptr) + (envelope.find("error") != nullptr);
  if ((method != nullptr) + answers != 1)
    say(error, "", "The message must have one of 'method', 'result' and 'error', and no second of them.");
  if (method) {
    check_call(envelope);
  } else if (answers != 0) {
    check_answer(envelope);
  }
}

void TraceChecker::check_call(const Envelope& envelope) {
  const json::value* name = envelope.find("method");
  if (!name->is_string()) return say(error, "method", "'method' must be a string.");
  const std::string_view method = name->get_string();
  about_.method = repair_utf8(method, method.size());
  const json::value* params = envelope.find("params");
  if (params && !params->is_object() && !params->is_array()) say(error, "params", "'params' must be an object or a list.");
  if (const AcpMethod* known = find_acp_method(method)) {
    check_method(*known, envelope);
  } else if (!method.starts_with('_')) {
    say(note, "method", fmt::format("{} is not a method of ACP version 1; extensions begin with '_'.", in_quotes(method)));
  }
  if (envelope.find("id")) open_request(envelope);
}

void TraceChecker::check_method(const AcpMethod& method, const Envelope& envelope) {
  const bool has_id = envelope.find("id") != nullptr;
  if (!may_call(method.caller, *about_.direction))
    say(error, "method", fmt::format("'{}' is not for {} to call.", method.name, speaker_words(*about_.direction)));
  if (method.form == AcpForm::request && !has_id)
    say(error, "id", fmt::format("'{}' is a request: it must have an id.", method.name));
  if (method.form == AcpForm::notification && has_id)
    say(error, "id", fmt::format("'{}' is a notification: it must not have an id.", method.name));
  if (method.params.empty()) return;
  const json::value* params = envelope.find("params");
  if (!params) return say(error, "params", "'params' must be given: an object.");
  check_members(*params, method.params, "params", [this](FindingLevel level, std::string path, std::string sentence) {
    say(level, std::move(path), std::move(sentence));
  });
}

void TraceChecker::open_request(const Envelope& envelope) {
  if (envelope.find("id")->is_null()) say(warning, "id", "A request should not have the id null: its answer cannot be told.");
  Request& request = asked_by(*about_.direction)[id_key(envelope.raw.id)];
  if (request.about.line != 0 && request.answered_in == 0)
    say(error, "id",
        fmt::format("The id {} is in use: the request of line {} is still open.", envelope.id_words(), request.about.line));
  request = {.about = about_};
}

void TraceChecker::check_answer(const Envelope& envelope) {
  const Request* request = close_request(envelope);
  if (request) about_.method = request->about.method;
  const TellFinding tell = [this](FindingLevel level, std::string path, std::string sentence) {
    say(level, std::move(path), std::move(sentence));
  };
  if (const json::value* refusal = envelope.find("error")) {
    static constexpr AcpMember needed[] = {{"code", AcpType::integer}, {"message", AcpType::string}};
    check_members(*refusal, needed, "error", tell);
  }
  const json::value* result = envelope.find("result");
  const AcpMethod* method = about_.method ? find_acp_method(*about_.method) : nullptr;
  if (!result || !method) return;
  check_members(*result, method->result, "result", tell);
  if (method->result.empty() && !result->is_object()) say(warning, "result", "'result' should be an object.");
}

// The request that is answered; none when it is not known, which is said.
const TraceChecker::Request* TraceChecker::close_request(const Envelope& envelope) {
  const json::value* id = envelope.find("id");
  if (!id) return say(error, "id", "An answer must have the id of its request."), nullptr;
  Requests& asked = asked_by(about_.direction == Speaker::agent ? Speaker::client : Speaker::agent);
  const auto found = asked.find(id_key(envelope.raw.id));
  if (found == asked.end()) {
    if (id->is_null() && envelope.find("error")) {
      say(note, "id", "The error belongs to no request: what it answers could not be read.");
    } else if (!heard_client_) {
      if (!std::exchange(said_one_sided_, true))
        say(note, "id", "The trace has none of the clients' messages up to here: answers to them are not matched.");
    } else {
      say(incomplete_ ? note : error, "id",
          fmt::format("It answers the id {}, which nobody asked{}.", envelope.id_words(),
                      incomplete_ ? "; the request may be in what is missing" : ""));
    }
    return nullptr;
  }
  if (found->second.answered_in != 0)
    say(error, "id", fmt::format("The id {} was answered before, in line {}.", envelope.id_words(), found->second.answered_in));
  found->second.answered_in = line_;
  return &found->second;
}

void TraceChecker::say(FindingLevel level, std::string path, std::string sentence) {
  if (found_.size() == most_per_line) return;
  Finding& finding = found_.emplace_back(about_);
  finding.level = level;
  finding.path = std::move(path);
  finding.sentence = std::move(sentence);
}

}  // namespace sa
