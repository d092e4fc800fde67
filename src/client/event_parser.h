// Cuts a body of server-sent events into events, however it is split on its way. Holds one event at most. One thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace sa {

// Views into the parser, for as long as the call lasts.
struct ServerEvent {
  std::string_view event = "message";
  std::string_view id;
  std::string_view data;
};

class EventParser {
 public:
  using Take = std::function<void(const ServerEvent& event)>;

  void feed(std::string_view bytes, const Take& take);
  // Something of an event has come, and its end has not.
  bool is_mid_event() const { return !line_.empty() || !event_.empty() || has_data_; }
  // Whatever was not complete is forgotten: a new body begins.
  void reset();

 private:
  void take_line(std::string_view line, const Take& take);

  std::string line_;  // begun
  std::string event_;
  std::string id_;
  std::string data_;
  bool has_data_ = false;
};

}  // namespace sa
