#include "oracle_reader.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "acp.h"

namespace rig {
namespace {

constexpr std::uint64_t most_of_the_daemon = 2;     // events beyond the lines: on one that never ended, and on the agent's end
constexpr std::uint64_t bytes_that_fit = 16 << 20;  // into a ring of 32 MiB, whatever its own bookkeeping takes

}  // namespace

OracleReader::OracleReader(ReaderPlan plan, std::uint16_t port, std::string token, LedgerLookup ledgers)
    : plan_(std::move(plan)),
      port_(plan_.port != 0 ? plan_.port : port),
      token_(std::move(token)),
      ledgers_(std::move(ledgers)) {
  resume_id_ = plan_.from;
  report_.instance_id = plan_.instance;
}

OracleReader::~OracleReader() { disconnect(); }

int OracleReader::connect() {
  disconnect();
  fd_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (plan_.receive_buffer > 0) {
    setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &plan_.receive_buffer, sizeof plan_.receive_buffer);
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port_);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    check_.note_fault("cannot connect");
    disconnect();
    return -1;
  }
  fcntl(fd_, F_SETFL, O_NONBLOCK);
  Headers headers = {{"Authorization", "Bearer " + token_}, {"Accept", "text/event-stream"}};
  if (resume_id_ > 0) headers.emplace_back("Last-Event-ID", std::to_string(resume_id_));
  if (plan_.names_instance && !report_.instance_id.empty()) {
    headers.emplace_back("Acp-Instance-Id", report_.instance_id);
  }
  const auto target = "/v1/acp/" + percent_encoded(plan_.server_id) + (plan_.query.empty() ? "" : "?" + plan_.query);
  const auto request = http_request("GET", target, headers);
  const bool is_sent = send(fd_, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size());
  if (!is_sent && !plan_.refusal_is_fine) check_.note_fault("cannot send the request");
  head_.clear();
  head_done_ = false;
  chunks_ = {};
  parser_ = {};
  check_.begin(resume_id_);
  events_on_connection_ = 0;
  cut_now_ = false;
  last_allowance_ = Clock::now();
  ++report_.connections;
  return fd_;
}

void OracleReader::disconnect() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

std::uint64_t OracleReader::allowance() {
  if (plan_.bytes_per_second == 0) return UINT64_MAX;
  const auto now = Clock::now();
  const auto elapsed = std::chrono::duration<double>(now - last_allowance_).count();
  const auto bytes = static_cast<std::uint64_t>(elapsed * static_cast<double>(plan_.bytes_per_second));
  if (bytes > 0) last_allowance_ = now;
  return bytes;
}

OracleReader::After OracleReader::read_ready(std::string& scratch) {
  const auto allowed = allowance();
  if (allowed > 0) {
    const auto n = recv(fd_, scratch.data(), std::min<std::uint64_t>(allowed, scratch.size()), 0);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return After::keep_reading;
    if (n <= 0) return lost(false);
    std::string_view bytes(scratch.data(), static_cast<std::size_t>(n));
    report_.bytes += bytes.size();
    if (!head_done_) take_head(bytes);
    if (head_done_) take_body(bytes);
    if (report_.refused) return lost(false);
    if (cut_now_) {
      --plan_.cuts;
      return After::reconnect;
    }
    if (chunks_.done()) return lost(true);
  }
  if (plan_.bytes_per_second == 0) return After::keep_reading;
  throttled_until_ = Clock::now() + milliseconds(10);
  return After::throttle;
}

OracleReader::After OracleReader::lost(bool properly) {
  report_.ended = properly;
  disconnect();
  return !properly && plan_.returns_when_lost && !report_.refused ? After::reconnect : After::closed;
}

void OracleReader::take_head(std::string_view& bytes) {
  head_.append(bytes);
  bytes = {};
  const auto end = head_.find("\r\n\r\n");
  if (end == std::string::npos) return;
  head_done_ = true;
  std::string head = head_.substr(0, end + 2);
  std::transform(head.begin(), head.end(), head.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (!head.starts_with("http/1.1 200 ") || head.find("content-type: text/event-stream") == std::string::npos) {
    report_.refused = true;
    if (!plan_.refusal_is_fine) check_.note_fault("no event stream: " + head.substr(0, head.find('\r')));
    return;
  }
  static constexpr std::string_view name = "\r\nacp-instance-id: ";
  if (const auto at = head.find(name); at != std::string::npos) {
    const auto start = at + name.size();
    take_instance(head_.substr(start, head_.find('\r', start) - start));
  } else {
    check_.note_fault("no Acp-Instance-Id");
  }
  const std::string rest = head_.substr(end + 4);
  take_body(rest);
}

void OracleReader::take_instance(std::string instance) {
  ledger_ = ledgers_(instance);
  const bool is_another = instance != report_.instance_id;
  const bool has_named_another = plan_.names_instance && !report_.instance_id.empty() && is_another;
  const bool is_to_come = ledger_ != nullptr && resume_id_ > ledger_->begun() + most_of_the_daemon;
  if (has_named_another || is_to_come) check_.expect_lost_position();
  if (resume_id_ > 0 && (is_another || report_.events == 0)) check_.allow_lost_position();
  report_.instance_id = std::move(instance);
}

void OracleReader::take_body(std::string_view bytes) {
  chunks_.feed(bytes, [&](std::string_view payload) {
    if (!cut_now_) parser_.feed(payload, [&](const SseEvent& event) { return take_event(event); });
  });
  if (chunks_.faulty()) check_.note_fault("wrong chunks");
  if (!parser_.fault().empty()) check_.note_fault("wrong format: " + parser_.fault());
}

bool OracleReader::take_event(const SseEvent& event) {
  switch (event.kind) {
    case SseEvent::Kind::message: check_message(event); break;
    case SseEvent::Kind::gap: check_.on_gap(event.data, last_lost()); break;
    case SseEvent::Kind::client: ++report_.client_events; break;
    case SseEvent::Kind::heartbeat: break;
  }
  cut_now_ = plan_.cuts > 0 && events_on_connection_ >= plan_.cut_after_events;
  return !cut_now_;
}

void OracleReader::check_message(const SseEvent& event) {
  check_.on_message(event.id);
  resume_id_ = event.id;
  ++report_.events;
  ++events_on_connection_;
  if (ledger_ == nullptr || ledger_->matches(event.id, event.data)) return;
  const bool is_last = event.id > ledger_->written() || plan_.lines_may_be_lost;
  const bool is_of_the_daemon = event.data.find("_adapter/") != std::string_view::npos && is_last;
  if (!is_of_the_daemon) {
    check_.note_fault("event " + std::to_string(event.id) +
                      " is not what the agent said: " + std::string(event.data.substr(0, 120)));
  }
}

// The last event that can have fallen off the ring by now: the agent has said a ring of others since.
std::uint64_t OracleReader::last_lost() const {
  if (plan_.ring_messages == 0 || ledger_ == nullptr || ledger_->bytes() > bytes_that_fit) return UINT64_MAX;
  const auto newest = ledger_->begun() + 1;  // the daemon's own is the last
  return newest - std::min(newest, plan_.ring_messages);
}

ReaderReport OracleReader::report() const {
  ReaderReport out = report_;
  out.last_id = check_.last_id();
  out.open = fd_ >= 0;
  out.reading = out.open && head_done_;
  out.awaits_gap = out.reading && check_.awaits_lost_position();
  out.gaps = check_.gaps();
  out.faults = check_.faults();
  return out;
}

}  // namespace rig
