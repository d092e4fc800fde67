// Shows what an agent says: the text of its answer on stdout, everything else on stderr; or all of it as JSON lines. Borrows
// the console. Loop thread only.
#pragma once

#include <boost/json.hpp>
#include <map>
#include <string>

#include "base/clock.h"
#include "cli/console.h"
#include "cli/turn_event.h"

namespace sa {

class TurnView {
 public:
  explicit TurnView(Console& console) : console_(console) {}

  void begin();                                      // a turn
  void show(const boost::json::object& update);      // of session/update
  void note(std::string_view sentence);              // something the user should know
  void tell(const TurnEvent& event);                 // with --json only
  void end(const boost::json::object& turn_result);  // of session/prompt

  static std::string tool_title(const boost::json::object& tool_call);

 private:
  void show_text(const boost::json::object& content);
  void show_thought(const boost::json::object& content);
  void end_thought();
  void show_tool(const boost::json::object& call);
  void show_plan(const boost::json::object& plan);

  Console& console_;
  TimePoint began_ = Clock::now();
  std::string thought_;                        // so far
  std::map<std::string, std::string> titles_;  // of tool calls
  std::map<std::string, std::string> states_;  // last shown
  std::string plan_line_;                      // last shown
  std::optional<std::int64_t> tokens_;         // as far as they were told
};

// "1.2 k".
std::string count_text(std::int64_t count);
// "6.1 s", "2 min 5 s".
std::string duration_text(Millis duration);

}  // namespace sa
