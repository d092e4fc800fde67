// An agent that speaks, and readers that all must hear everything. Every audience has an instance of its own.
#pragma once

#include <optional>
#include <string>

#include "http_client.h"
#include "requests.h"
#include "servers.h"
#include "stream_readers.h"

namespace bench {

class Audience {
 public:
  Audience(const Server& server, const std::string& id, std::size_t readers)
      : server_(server), target_(acp_target(id)), reader_count_(readers), client_(server.port()) {
    client_.exchange(post(server.port(), target_, prompt(next_id_++)));
    readers_.emplace(server, "/v1/acp/" + id, readers);
    readers_->read_until(events_each_);
  }

  // The agent says `count` events of `bytes` bytes and an answer, so many times; every reader gets all of them. Microseconds of
  // the server's CPU per delivery.
  double deliver(int times, int count, int bytes) {
    const std::int64_t cpu_before = server_.cpu_ns();
    for (int at = 0; at < times; ++at) {
      client_.send(post(server_.port(), target_, notify(next_id_++, count, bytes)));
      events_each_ += count + 1;
      readers_->read_until(events_each_);
      client_.receive();
    }
    const double deliveries = static_cast<double>(reader_count_) * times * (count + 1);
    return static_cast<double>(server_.cpu_ns() - cpu_before) / 1e3 / deliveries;
  }

 private:
  const Server& server_;
  std::string target_;
  std::size_t reader_count_;
  std::uint64_t next_id_ = first_id;
  std::int64_t events_each_ = 1;
  HttpClient client_;
  std::optional<StreamReaders> readers_;  // from when the instance is there
};

}  // namespace bench
