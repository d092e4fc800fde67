// A reader of an instance's ring as the source of an HTTP event stream. Owned by the response.
#pragma once

#include <memory>

#include "acp/event_reader.h"
#include "http/event_stream.h"

namespace sa {

class EventSource final : public EventStream {
 public:
  explicit EventSource(std::unique_ptr<EventReader> reader) : reader_(std::move(reader)) {}

  void start(Signal& wake) override { reader_->set_wake(&wake); }
  void take(std::vector<SharedBytes>& out, std::size_t max_bytes) override { reader_->take(out, max_bytes); }
  bool behind() const override { return reader_->behind(); }
  bool ended() const override { return reader_->ended(); }
  void on_progress() override { reader_->on_progress(); }
  void on_blocked() override { reader_->on_blocked(); }

 private:
  std::unique_ptr<EventReader> reader_;
};

}  // namespace sa
