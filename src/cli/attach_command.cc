// `sandbox-agent attach`: watch an instance live and answer its permission requests.
#include <fmt/format.h>
#include <signal.h>

#include "api/schema.h"
#include "base/id_key.h"
#include "base/json_members.h"
#include "cli/commands.h"
#include "cli/instance_list.h"
#include "cli/permission_desk.h"
#include "cli/permission_rule.h"
#include "cli/plain_text.h"
#include "cli/server_choice.h"
#include "cli/terminal_input.h"
#include "cli/turn_view.h"
#include "client/api_call.h"
#include "io/signal_watch.h"
#include "io/timer.h"

namespace sa {
namespace {

namespace json = boost::json;

constexpr Millis caught_up_after{100};
constexpr std::size_t prompt_width = 200;

// The text of a prompt, as far as it is text.
std::string prompt_text(const json::object& params) {
  std::string text;
  for (const json::value& block : array_member(params, "prompt"))
    if (block.is_object()) text += string_member(block.get_object(), "text");
  return one_line(text, prompt_width);
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
        signals_(loop_, not_ignored({SIGINT, SIGTERM, SIGHUP}), [this](int) { detach(); }),
        caught_up_(loop_),
        desk_(loop_, pool_, console, view_, rule,
              [this](const std::string& id, const PermissionOption* option) { spawn(send_answer(id, outcome_of(option))); }),
        feed_(loop_, server_, {.server_id = server_id_, .instance_id = instance.instance_id, .include_client = true},
              [this](const FeedItem& item) { on_item(item); }) {
    if (newest_ == 0) become_live();
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
      case FeedItem::Kind::gap: view_.note("messages were lost: the daemon keeps no more"); break;
      case FeedItem::Kind::cut: view_.note("the connection to the daemon broke; trying again"); break;
      case FeedItem::Kind::ended: return end("the instance has ended");
      case FeedItem::Kind::failed: outcome_ = failed(item.failure); return loop_.stop();
    }
    if (console_.reader_left()) return end("nobody reads this any more");
    if (item.number >= newest_ && !live_ && !caught_up_.armed()) caught_up_.arm_in(caught_up_after, [this] { become_live(); });
  }

  // What was asked in the past and not answered is asked now.
  void become_live() {
    if (std::exchange(live_, true)) return;
    console_.end_line();
    view_.note(fmt::format("watching {}; Ctrl-C leaves it running", server_id_));
    for (auto& [key, question] : std::exchange(open_, {})) ask(std::move(question));
  }

  void ask(PermissionQuestion question) {
    if (answers_) return desk_.open(std::move(question));
    view_.note(fmt::format("the agent asks for permission: {}", question.title));
  }

  void on_agent(const std::string& bytes) {
    auto message = read_message(bytes);
    if (!message) return;
    if (message->kind == AgentMessage::Kind::request && message->method == "session/request_permission") {
      PermissionQuestion question = read_question({message->id, message->method, std::move(message->params)});
      if (live_) return ask(std::move(question));
      open_.emplace_back(id_key(message->id), std::move(question));
    } else if (message->method == "session/update") {
      view_.show(object_member(message->params, "update"));
    } else if (message->method == "_adapter/agent_exited") {
      console_.end_line();
      view_.note("the agent has exited");
    } else if (message->kind == AgentMessage::Kind::result && std::erase(prompts_, id_key(message->id)) > 0) {
      console_.end_line();
      if (message->outcome.is_object()) view_.end(message->outcome.get_object());
    }
  }

  void on_client(const std::string& bytes) {
    const auto message = read_message(bytes);
    if (!message) return;
    if (message->method == "session/prompt") {
      console_.end_line();
      console_.status(fmt::format("{} {}", console_.paint(Ink::bold, "›"), prompt_text(message->params)));
      prompts_.push_back(id_key(message->id));
      view_.begin();
    } else if (message->kind == AgentMessage::Kind::result || message->kind == AgentMessage::Kind::error) {
      std::erase_if(open_, [key = id_key(message->id)](const auto& question) { return question.first == key; });
      desk_.close(message->id, "answered elsewhere");
    }
  }

  Task<> send_answer(std::string id, json::object result) {
    const ApiRequest request{.method = "POST",
                             .target = "/v1/acp/" + percent_encoded(server_id_),
                             .headers = {json_content()},
                             .body = result_text(id, result)};
    const auto sent = co_await pool_.run([server = server_, &request] { return call_api(server, request); });
    if (!sent) view_.note(fmt::format("the answer did not reach the agent: {}", sent.error().what));
  }

  void detach() { end(fmt::format("left; {} goes on", server_id_)); }

  void end(const std::string& sentence) {
    if (std::exchange(ending_, true)) return;
    console_.end_line();
    console_.status(fmt::format("▸ {}", sentence));
    spawn(finish());
  }

  Task<> finish() {
    co_await desk_.finish();
    loop_.stop();
  }

  Console& console_;
  ServerAddress server_;
  std::string server_id_;
  std::uint64_t newest_;
  bool answers_;
  bool live_ = false;
  bool ending_ = false;
  std::vector<std::pair<std::string, PermissionQuestion>> open_;  // of the past, by the identity of their ids
  std::vector<std::string> prompts_;                              // whose turns are under way
  Outcome<Exit> outcome_ = Exit::success;
  Loop loop_;
  WorkerPool pool_;
  TurnView view_;
  SignalWatch signals_;
  Timer caught_up_;
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

extern const Command attach_command{.name = "attach",
                                    .section = Section::instances,
                                    .summary = "Watch an instance, from what is kept on, and answer its permission requests",
                                    .help = "Without a terminal it only watches, unless --yes or --deny say what to answer.",
                                    .arguments = attach_arguments,
                                    .options = attach_options,
                                    .shared = Shared::server,
                                    .json = {JsonOutput::Kind::lines, "One event per line.", schema_of<TurnEvent>},
                                    .run = attach,
                                    .example = "sandbox-agent attach ID"};

}  // namespace sa
