// One of the oracle's readers: a non-blocking event stream that is checked while it is read, and its plan of misbehaviour.
// Touched only by the oracle's thread. Costs no memory per event.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "chunk_decoder.h"
#include "deadline.h"
#include "ledger.h"
#include "sse_parser.h"
#include "stream_check.h"

namespace rig {

struct ReaderPlan {
  std::string server_id;
  int receive_buffer = 0;              // SO_RCVBUF; small for readers that stall
  std::uint64_t bytes_per_second = 0;  // 0: as fast as it comes
  unsigned cuts = 0;                   // how often it hangs up and comes back with Last-Event-ID …
  std::uint64_t cut_after_events = 0;  // … each time after so many events
  bool returns_when_lost = false;      // comes back also when the server cut it off
  bool names_instance = true;          // sends Acp-Instance-Id when it comes back
  std::string query = {};
  std::uint64_t from = 0;           // its first Last-Event-ID; 0: none …
  std::string instance = {};        // … and Acp-Instance-Id
  std::uint16_t port = 0;           // of a relay; 0: the daemon's own
  bool refusal_is_fine = false;     // an answer other than 200 is no fault
  std::uint64_t ring_messages = 0;  // so many of the newest are never lost; 0: there is no telling
  bool lines_may_be_lost = false;   // the agent is ended in the middle of a line that is too long
};

struct ReaderReport {
  std::uint64_t events = 0;  // messages, over all connections
  std::uint64_t client_events = 0;
  std::uint64_t last_id = 0;
  std::uint64_t bytes = 0;
  unsigned connections = 0;
  bool open = false;
  bool reading = false;     // open, and the stream has begun
  bool ended = false;       // the server finished the stream properly
  bool refused = false;     // an answer other than 200
  bool awaits_gap = false;  // its position is none, and it was not told
  std::string instance_id;
  std::vector<Gap> gaps;
  std::vector<std::string> faults;
};

// Finds the ledger of an instance; null if it is not known (yet).
using LedgerLookup = std::function<const Ledger*(const std::string& instance_id)>;

class OracleReader {
 public:
  OracleReader(ReaderPlan plan, std::uint16_t port, std::string token, LedgerLookup ledgers);
  ~OracleReader();

  // Opens a connection and sends the request; -1 when the server does not accept.
  int connect();
  void disconnect();
  int descriptor() const { return fd_; }

  enum class After { keep_reading, throttle, reconnect, closed };
  // Reads what is there, through `scratch`.
  After read_ready(std::string& scratch);

  ReaderPlan& plan() { return plan_; }
  ReaderReport report() const;
  std::uint64_t last_id() const { return check_.last_id(); }
  Clock::time_point throttled_until() const { return throttled_until_; }

  bool paused = false;

 private:
  void take_head(std::string_view& bytes);
  void take_body(std::string_view bytes);
  bool take_event(const SseEvent& event);
  void check_message(const SseEvent& event);
  std::uint64_t last_lost() const;
  void take_instance(std::string instance);
  After lost(bool properly);
  std::uint64_t allowance();

  ReaderPlan plan_;
  std::uint16_t port_;
  std::string token_;
  LedgerLookup ledgers_;
  int fd_ = -1;
  std::string head_;
  bool head_done_ = false;
  ChunkDecoder chunks_;
  SseParser parser_;
  StreamCheck check_;
  ReaderReport report_;
  const Ledger* ledger_ = nullptr;
  std::uint64_t resume_id_ = 0;
  std::uint64_t events_on_connection_ = 0;
  bool cut_now_ = false;
  Clock::time_point throttled_until_{};
  Clock::time_point last_allowance_{};
};

}  // namespace rig
