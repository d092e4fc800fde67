// Shows what an agent says: the text of its answer on stdout, everything else on stderr; or all of it as JSON lines. Borrows
// the console. Loop thread only.
#pragma once

#include <boost/json.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/failure.h"
#include "cli/console.h"
#include "cli/turn_event.h"

namespace sa {

class TurnView {
 public:
  explicit TurnView(Console& console) : console_(console) {}

  enum class Seen : std::uint8_t { whole, not_from_its_beginning };

  void begin(Seen seen = Seen::whole);           // a turn
  void show(const boost::json::object& update);  // of session/update
  // A permission for this tool call is asked for: its line is shown now. All that was said of the call so far.
  boost::json::object asked_about(const boost::json::object& call);
  void note(std::string_view sentence);              // something the user should know
  void tell(const TurnEvent& event);                 // with --json only
  void lost(std::string_view sentence);              // messages of the agent were
  void end(const boost::json::object& turn_result);  // of session/prompt
  void fail(const Failure& failure);                 // instead of an end
  void settle();                                     // what waits to be shown is shown now
  void was_seen();                                   // somebody was shown something of the turn

  // While a turn goes on: since when nothing was to be seen, and what the agent is at, as far as it told.
  TimePoint seen_at() const { return seen_at_; }
  bool has_shown() const { return has_shown_; }  // anything
  std::string doing() const;
  bool has_more() const;  // that waits to be shown, on a line of its own

 private:
  void show_text(const boost::json::object& content);
  void show_thought(const boost::json::object& content);
  void end_thought();
  // An agent's first words for a call are often a placeholder: the line waits until it tells more, or until something else
  // is to be shown behind it.
  struct Tool {
    boost::json::object call;  // all that was said
    std::string first_line;
    std::string shown_line;
    bool ended = false;
  };

  Tool& learn(const boost::json::object& call);
  void show_tool(const boost::json::object& call);
  void show_progress(Tool& tool, std::string_view status);
  void show_tool_line(Tool& tool);
  void settle_tools();
  void show_plan(const boost::json::object& plan);
  void say(std::string_view line);

  Console& console_;
  std::optional<TimePoint> began_;    // none: nobody saw it
  TimePoint seen_at_ = Clock::now();  // something, the last time
  bool has_shown_ = false;
  std::string thought_;  // so far
  std::map<std::string, Tool> tools_;
  std::vector<std::string> unshown_;     // tools that may be, by their ids
  std::string last_tool_;                // its id
  std::string plan_line_;                // last shown
  std::optional<std::int64_t> context_;  // tokens in it, as far as they were told
};

// "1.2 k".
std::string count_text(std::int64_t count);
// "6.1 s", "2 min 5 s".
std::string duration_text(Millis duration);

}  // namespace sa
