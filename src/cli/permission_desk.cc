#include "cli/permission_desk.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/id_key.h"
#include "base/json_members.h"
#include "cli/plain_text.h"
#include "cli/terminal_input.h"
#include "cli/tool_words.h"

namespace sa {
namespace {

constexpr std::size_t most_digits = 9;
constexpr std::size_t option_width = 60;
constexpr std::string_view which_keys = "press a digit (y allows, n rejects)";

Ink ink_of(DetailLine::Kind kind) {
  if (kind == DetailLine::Kind::words) return Ink::plain;
  return kind == DetailLine::Kind::added ? Ink::green : Ink::red;
}

bool allows(const PermissionOption& option) { return option.kind.starts_with("allow"); }

}  // namespace

PermissionQuestion read_question(const AgentRequest& request, TurnView& view) {
  boost::json::object call = view.asked_about(object_member(request.params, "toolCall"));
  PermissionQuestion question{
      .id = request.id, .tool_call_id = std::string(string_member(call, "toolCallId")), .title = tool_title(call)};
  question.tool_call = std::move(call);
  for (const boost::json::value& option : array_member(request.params, "options")) {
    if (!option.is_object()) continue;
    const boost::json::object& object = option.get_object();
    question.options.push_back({std::string(string_member(object, "optionId")), std::string(string_member(object, "name")),
                                std::string(string_member(object, "kind"))});
  }
  return question;
}

TurnEvent permission_event(const PermissionQuestion& question) {
  TurnEvent event{.type = TurnEventType::permission,
                  .tool_call_id = question.tool_call_id,
                  .title = question.title,
                  .options = std::vector<OfferedAnswer>(),
                  .tool_call = ForeignObject{boost::json::serialize(question.tool_call)}};
  for (const PermissionOption& option : question.options) event.options->push_back({option.id, option.name, option.kind});
  return event;
}

const PermissionOption* choose_option(const PermissionQuestion& question, bool allow) {
  for (const std::string_view kind :
       allow ? std::array{"allow_once", "allow_always"} : std::array{"reject_once", "reject_always"})
    for (const PermissionOption& option : question.options)
      if (option.kind == kind) return &option;
  return nullptr;
}

const PermissionOption* option_for_key(const PermissionQuestion& question, char key) {
  if (key == 'y' || key == 'n') return choose_option(question, key == 'y');
  const bool digit = key >= '1' && key <= '9';
  const auto at = static_cast<std::size_t>(key - '1');
  return digit && at < question.options.size() ? &question.options[at] : nullptr;
}

boost::json::object outcome_of(const PermissionOption* option) {
  if (!option) return {{"outcome", {{"outcome", "cancelled"}}}};
  return {{"outcome", {{"outcome", "selected"}, {"optionId", option->id}}}};
}

PermissionDesk::PermissionDesk(Loop& loop, WorkerPool& pool, Console& console, TurnView& view, PermissionRule rule,
                               Answer answer)
    : pool_(pool), console_(console), view_(view), rule_(rule), answer_(std::move(answer)), idle_(loop) {}

PermissionDesk::~PermissionDesk() {
  if (stop_) *stop_ = true;
}

void PermissionDesk::begin_turn() { denied_ = unasked_ = false; }

void PermissionDesk::open(PermissionQuestion question) {
  if (question.options.empty()) return decide(question, nullptr);
  if (rule_ != PermissionRule::ask) return decide(question, choose_option(question, rule_ == PermissionRule::allow));
  if (console_.may_ask() && !console_.json()) {
    waiting_.push_back(std::move(question));
    if (!std::exchange(asking_, true)) spawn(ask_all());
    return;
  }
  view_.note(fmt::format("the agent asks for permission: {}", tool_line(question.tool_call)));
  decide(question, nullptr);
  if (!std::exchange(unasked_, true) && on_nobody) on_nobody();
}

void PermissionDesk::show(const PermissionQuestion& question) {
  console_.question(
      fmt::format("{} {}", console_.paint(Ink::yellow, "? permission:"), console_.paint(Ink::bold, question.title)));
  for (const DetailLine& detail : tool_details(question.tool_call))
    console_.question(fmt::format("    {}", console_.paint(ink_of(detail.kind), detail.text)));
  std::string line = " ";
  for (std::size_t at = 0; at < std::min(question.options.size(), most_digits); ++at)
    line += fmt::format(" {} {} ", console_.paint(Ink::bold, std::to_string(at + 1)),
                        one_line(question.options[at].name, option_width));
  console_.question(line + console_.paint(Ink::dim, fmt::format("  {}", which_keys)));
  view_.was_seen();
}

void PermissionDesk::say_what_waits() {
  console_.question(console_.paint(Ink::dim, fmt::format("  what was typed waits for the next line; {}", which_keys)));
}

// A key counts only when it comes alone, or with Enter: arrows and pastes hold digits, too. In a chat somebody may be typing
// the next line: there nothing else may have come for a while.
Task<> PermissionDesk::ask_all() {
  while (!waiting_.empty()) {
    const PermissionQuestion question = waiting_.front();
    stop_ = std::make_shared<StopFlag>(false);
    const std::shared_ptr<StopFlag> stop = stop_;
    const KeyMode key_mode;
    show(question);
    const PermissionOption* chosen = nullptr;
    bool gone = false, is_kept = false;
    while (!chosen && !gone) {
      const bool was_typing = co_await pool_.run([stop] { return outwait_typing(*stop); });
      if ((was_typing || is_kept) && !*stop) say_what_waits();
      const std::optional<std::string> keys = co_await pool_.run([stop] { return read_keys(*stop); });
      if (keys && keys->size() == 1) chosen = option_for_key(question, keys->front());
      is_kept = keys && !chosen && keep_typed(*keys);
      gone = !keys;
    }
    if (*stop) continue;  // answered by somebody else, or cancelled: it is not waiting any more
    waiting_.pop_front();
    decide(question, chosen);
  }
  asking_ = false;
  idle_.notify();
}

void PermissionDesk::decide(const PermissionQuestion& question, const PermissionOption* option) {
  if (!option || !allows(*option)) denied_ = true;
  TurnEvent event = permission_event(question);
  event.answer = option ? option->id : "cancelled";
  if (option) event.kind = option->kind;
  view_.tell(event);
  console_.status(fmt::format("  {} {}: {}",
                              option && allows(*option) ? console_.paint(Ink::green, "✓") : console_.paint(Ink::red, "✗"),
                              option ? one_line(option->name, option_width) : "not allowed", question.title));
  view_.was_seen();
  answer_(question.id, option);
}

std::optional<PermissionQuestion> PermissionDesk::take_out(const std::string& request_id, std::string_view why) {
  const auto is_it = [key = id_key(request_id)](const PermissionQuestion& one) { return id_key(one.id) == key; };
  const auto found = std::ranges::find_if(waiting_, is_it);
  if (found == waiting_.end()) return std::nullopt;
  const bool is_asked = found == waiting_.begin();
  console_.status(fmt::format("  {}: {}", why, found->title));
  std::optional<PermissionQuestion> taken = std::move(*found);
  waiting_.erase(found);
  if (is_asked && stop_) *stop_ = true;
  return taken;
}

void PermissionDesk::close(const std::string& request_id, std::string_view why) { (void)take_out(request_id, why); }

void PermissionDesk::withdraw(const std::string& request_id) {
  if (const auto question = take_out(request_id, "withdrawn")) answer_(question->id, nullptr);
}

void PermissionDesk::cancel_all() {
  for (const PermissionQuestion& question : std::exchange(waiting_, {})) answer_(question.id, nullptr);
  if (stop_) *stop_ = true;
}

Task<> PermissionDesk::finish() {
  waiting_.clear();
  if (stop_) *stop_ = true;
  while (asking_) co_await idle_.wait();
}

}  // namespace sa
