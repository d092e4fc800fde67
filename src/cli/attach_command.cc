// `sandbox-agent attach`: watch an instance live and answer its permission requests.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "api/schema.h"
#include "base/id_key.h"
#include "base/json_members.h"
#include "base/percent.h"
#include "cli/commands.h"
#include "cli/form_question.h"
#include "cli/instance_list.h"
#include "cli/permission_desk.h"
#include "cli/permission_rule.h"
#include "cli/plain_text.h"
#include "cli/server_choice.h"
#include "cli/sure_sending.h"
#include "cli/terminal_input.h"
#include "cli/tool_words.h"
#include "cli/turn_view.h"
#include "client/api_call.h"
#include "io/signal_watch.h"
#include "io/timer.h"

namespace sa {
namespace {

namespace json = boost::json;

constexpr Millis caught_up_after{100};
constexpr Millis until_end{150};  // when the stream ends right behind an exit, somebody ended the instance
constexpr std::size_t prompt_width = 200;

// The text of a prompt, as far as it is text.
std::string prompt_text(const json::object& params) {
  std::string text;
  for (const json::value& block : array_member(params, "prompt"))
    if (block.is_object()) text += string_member(block.get_object(), "text");
  return text;
}

struct FormQuestion {
  std::string key;  // the identity of the request's id
  json::object params;
};

// As the agent's last message would have it.
json::object last_words_of(const ServerDocument& instance) {
  json::object params{{"success", instance.exit_code == 0}};
  if (instance.exit_code) params["code"] = *instance.exit_code;
  if (instance.signal) params["signal"] = *instance.signal;
  return params;
}

class Watch {
 public:
  Watch(Console& console, ServerAddress server, const ServerDocument& instance, PermissionRule rule)
      : console_(console),
        server_(std::move(server)),
        server_id_(instance.server_id),
        newest_(instance.last_event_id),
        answers_(rule != PermissionRule::ask || (console.may_ask() && !console.json())),
        pool_(loop_),
        view_(console),
        signals_(loop_, not_ignored({SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT}),
                 [this](int number) {
                   if (!obey_shell(number)) detach();
                 }),
        caught_up_(loop_),
        exit_timer_(loop_),
        answered_(loop_),
        desk_(loop_, pool_, console, view_, rule,
              [this](const std::string& id, const PermissionOption* option) { spawn(send_answer(id, outcome_of(option))); }),
        feed_(loop_, server_, {.server_id = server_id_, .instance_id = instance.instance_id, .include_client = true},
              [this](const FeedItem& item) { on_item(item); }) {
    if (instance.status == ServerStatus::exited) past_exit_ = last_words_of(instance);
    if (newest_ == 0) caught_up_.arm_in(Millis(0), [this] { become_live(); });
  }

  Outcome<Exit> run() {
    loop_.run();
    restore_terminal();
    return outcome_;
  }

 private:
  void on_item(const FeedItem& item) {
    switch (item.kind) {
      case FeedItem::Kind::message: on_agent(item.data); break;
      case FeedItem::Kind::client: on_client(item.data); break;
      case FeedItem::Kind::gap: show_loss(read_loss(item.data)); break;
      case FeedItem::Kind::cut: view_.note("the connection to the daemon broke; trying again"); break;
      case FeedItem::Kind::ended: return end("the instance has ended");
      case FeedItem::Kind::failed: outcome_ = failed(item.failure); return loop_.stop();
    }
    if (console_.reader_left()) return end("nobody reads this any more");
    if (item.number >= newest_ && !live_ && !caught_up_.armed()) caught_up_.arm_in(caught_up_after, [this] { become_live(); });
  }

  void show_loss(const Loss& loss) {
    if (const std::string words = loss.agent_words(); !words.empty()) view_.lost(words);
    if (const std::string words = loss.client_words(); !words.empty()) view_.note(words);
  }

  // What was asked in the past and not answered is asked now.
  void become_live() {
    if (exit_timer_.armed() || ending_ || std::exchange(live_, true)) return;
    if (past_exit_) return on_exit(*past_exit_);
    console_.end_line();
    view_.note(fmt::format("watching {}; Ctrl-C leaves it running", server_id_));
    for (auto& [key, question] : std::exchange(open_, {})) ask(std::move(question));
    for (const FormQuestion& form : forms_) show_form(form);
  }

  void ask(PermissionQuestion question) {
    if (answers_) return desk_.open(std::move(question));
    view_.tell(permission_event(question));
    console_.status(fmt::format("▸ the agent asks for permission: {}", tool_line(question.tool_call)));
  }

  // It is answered where forms can be filled in.
  void show_form(const FormQuestion& form) {
    view_.tell({.type = TurnEventType::question,
                .text = std::string(string_member(form.params, "message")),
                .request = ForeignObject{json::serialize(form.params)}});
    console_.status(fmt::format("{} {}", console_.paint(Ink::yellow, "? the agent asks:"),
                                console_.paint(Ink::bold, form_message(form.params))));
    for (const std::string& line : form_lines(form.params)) console_.status("    " + line);
    console_.status(console_.paint(Ink::dim, "  answer it in the inspector: sandbox-agent ui"));
  }

  // A question is open no longer.
  void close(const std::string& id, std::string_view why) {
    const std::string key = id_key(id);
    std::erase_if(open_, [&key](const auto& question) { return question.first == key; });
    desk_.close(id, why);
    const auto form = std::ranges::find(forms_, key, &FormQuestion::key);
    if (form == forms_.end()) return;
    if (live_) console_.status(fmt::format("  {}: {}", why, form_message(form->params)));
    forms_.erase(form);
  }

  // The agent is gone, the instance may still be there.
  void on_exit(const json::object& params) {
    console_.end_line();
    view_.settle();
    const bool by_itself = true_member(params, "success");
    Failure failure = exit_failure(params);
    failure.what_to_do = fmt::format("sandbox-agent logs {} — what it wrote to stderr", server_id_);
    exit_timer_.arm_in(until_end, [this, by_itself, failure] {
      if (!by_itself) outcome_ = failed(failure);
      end(by_itself ? "the agent has ended by itself" : "the agent has ended");
    });
  }

  void on_agent(const std::string& bytes) {
    auto message = read_message(bytes);
    if (!message) return;
    if (message->kind == AgentMessage::Kind::request && message->method == "session/request_permission") {
      PermissionQuestion question = read_question({message->id, message->method, std::move(message->params)}, view_);
      if (live_) return ask(std::move(question));
      open_.emplace_back(id_key(message->id), std::move(question));
    } else if (message->kind == AgentMessage::Kind::request && message->method == "elicitation/create") {
      forms_.push_back({id_key(message->id), std::move(message->params)});
      if (live_) show_form(forms_.back());
    } else if (message->method == "$/cancel_request" && message->params.contains("requestId")) {
      close(json::serialize(message->params.at("requestId")), "withdrawn");
    } else if (message->method == "session/update") {
      view_.show(object_member(message->params, "update"));
    } else if (message->method == "_adapter/agent_exited") {
      on_exit(message->params);
    } else if (message->is_answer() && std::erase(prompts_, id_key(message->id)) > 0) {
      console_.end_line();
      if (message->kind == AgentMessage::Kind::error) return view_.fail(error_failure(message->outcome));
      view_.end(message->outcome.is_object() ? message->outcome.get_object() : json::object());
    }
  }

  void on_client(const std::string& bytes) {
    const auto message = read_message(bytes);
    if (!message) return;
    if (message->method == "session/prompt") {
      on_prompt(*message);
    } else if (message->is_answer()) {
      close(message->id, "answered elsewhere");
    }
  }

  // Of several turns each begins a line, also where nobody sees the prompts between them.
  void on_prompt(const AgentMessage& message) {
    const std::string text = prompt_text(message.params);
    console_.end_result_line();
    view_.tell({.type = TurnEventType::prompt, .text = text});
    console_.status(fmt::format("{} {}", console_.paint(Ink::bold, "›"), one_line(text, prompt_width)));
    prompts_.push_back(id_key(message.id));
    view_.begin(live_ ? TurnView::Seen::whole : TurnView::Seen::not_from_its_beginning);
  }

  Task<> send_answer(std::string id, json::object result) {
    ++answering_;
    std::function<Task<Outcome<void>>()> send = [this, &id, &result] { return post_answer(id, result); };
    std::function<bool()> is_over = [this] { return ending_; };
    const auto sent = co_await send_surely(pool_, std::move(send), std::move(is_over));
    if (!sent)
      view_.note(fmt::format("the answer did not reach the agent: {}; to be asked once more: sandbox-agent attach {}",
                             sent.error().what, server_id_));
    --answering_;
    answered_.notify();
  }

  Task<Outcome<void>> post_answer(std::string id, json::object result) {
    const ApiRequest request{.method = "POST",
                             .target = "/v1/acp/" + percent_encoded(server_id_),
                             .headers = {json_content()},
                             .body = result_text(id, result)};
    const auto sent = co_await pool_.run([server = server_, &request] { return call_api(server, request); });
    if (!sent) co_return failed(sent.error());
    co_return Outcome<void>();
  }

  void detach() { end(fmt::format("left; {} goes on", server_id_)); }

  void end(const std::string& sentence) {
    if (std::exchange(ending_, true)) return;
    exit_timer_.cancel();
    console_.end_line();
    console_.status(fmt::format("▸ {}", sentence));
    spawn(finish());
  }

  Task<> finish() {
    co_await desk_.finish();
    while (answering_ > 0) co_await answered_.wait();
    loop_.stop();
  }

  Console& console_;
  ServerAddress server_;
  std::string server_id_;
  std::uint64_t newest_;
  bool answers_;
  bool live_ = false;
  bool ending_ = false;
  std::size_t answering_ = 0;                                     // answers under way
  std::vector<std::pair<std::string, PermissionQuestion>> open_;  // of the past, by the identity of their ids
  std::vector<FormQuestion> forms_;                               // that nobody has answered
  std::vector<std::string> prompts_;                              // whose turns are under way
  std::optional<json::object> past_exit_;                         // of an agent that was gone before we came
  Outcome<Exit> outcome_ = Exit::success;
  Loop loop_;
  WorkerPool pool_;
  TurnView view_;
  SignalWatch signals_;
  Timer caught_up_;
  Timer exit_timer_;
  Signal answered_;
  PermissionDesk desk_;
  EventFeed feed_;
};

Outcome<Exit> attach(Invocation& given) {
  TRY(const PermissionRule rule, permission_rule(given));
  TRY(const ChosenServer server, choose_server(given));
  TRY(const ServerDocument instance, find_instance(server.address, given.argument()));
  return Watch(given.console(), server.address, instance, rule).run();
}

constexpr Argument attach_arguments[] = {instance_argument};
constexpr Option attach_options[] = {SA_PERMISSION_OPTIONS};

}  // namespace

extern const Command attach_command{
    .name = "attach",
    .section = Section::instances,
    .summary = "Watch an instance, from what is kept on, and answer its permission requests",
    .help = "Without a terminal it only watches, unless --yes or --deny say what to answer. Ends when the agent does.",
    .arguments = attach_arguments,
    .options = attach_options,
    .shared = Shared::server,
    .json = {JsonOutput::Kind::lines, "One event per line.", schema_of<TurnEvent>},
    .run = attach,
    .example = "sandbox-agent attach ID"};

}  // namespace sa
