// Server-sent events, cut out of the bytes of a stream as they come. A value; one thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace sa {

struct StreamEvent {
  std::string kind;  // "message" when the event does not say
  std::string id;    // empty without one
  std::string data;
};

class StreamEvents {
 public:
  // Calls `take` for every event that the bytes complete.
  void feed(std::string_view bytes, const std::function<void(const StreamEvent&)>& take);

 private:
  void on_line(std::string_view line, const std::function<void(const StreamEvent&)>& take);

  std::string rest_;  // of a line that is not complete
  StreamEvent event_;
  bool has_data_ = false;
};

// {"event":"message","id":12,"data":…} on one line: JSON data as it is, other data as a string.
std::string event_document(const StreamEvent& event);

// JSON on one line: line ends between its tokens become blanks, all else stays.
std::string on_one_line(std::string json);

}  // namespace sa
