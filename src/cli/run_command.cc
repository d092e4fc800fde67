// `sandbox-agent run`: one turn with an agent, or a small chat on a terminal.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <climits>
#include <filesystem>

#include "api/schema.h"
#include "base/utf8.h"
#include "cli/advice.h"
#include "cli/agent_ready.h"
#include "cli/chat_input.h"
#include "cli/chat_words.h"
#include "cli/commands.h"
#include "cli/conversation.h"
#include "cli/last_sessions.h"
#include "cli/permission_rule.h"
#include "cli/prompt_source.h"
#include "cli/terminal_input.h"
#include "cli/turn_event.h"
#include "files/hidden_name.h"
#include "io/signal_watch.h"
#include "io/timer.h"

namespace sa {

extern const Command run_command_row;

namespace {

constexpr Millis cancel_patience{3'000};  // of a turn that shall end
constexpr Millis waiting_step{1'000};     // of the line that says what is waited for
constexpr Millis first_look{400};         // at a turn: whether something is to be seen
constexpr Millis usual_pause{1'500};      // of an agent within a turn
constexpr Millis usual_start{10'000};     // of an agent: one that takes longer is told about
constexpr std::string_view chat_prompt = "› ";
constexpr std::size_t chat_prompt_cells = 2;

struct RunOrder {
  ConversationWishes wishes;
  std::optional<std::string> prompt;  // none: a chat
  std::string session_id;             // to go on with
  Millis timeout{0};
};

// The run on its loop. Signals and time limits meet the conversation here.
class Run {
 public:
  Run(Console& console, RunOrder order)
      : console_(console),
        order_(std::move(order)),
        pool_(loop_),
        conversation_(loop_, pool_, console, order_.wishes),
        timer_(loop_),
        waiting_(loop_),
        signals_(loop_, not_ignored({SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT}),
                 [this](int number) { on_signal(number); }) {}

  Outcome<Exit> run() {
    conversation_.on_reader_left = [this] { on_reader_left(); };
    conversation_.on_update = [this](const boost::json::object& update) {
      agent_helps_ = announces_command(update, "help").value_or(agent_helps_);
    };
    spawn(go());
    loop_.run();
    return std::move(*outcome_);
  }

 private:
  enum class State : std::uint8_t { starting, turn, typing };

  Task<> go() {
    outcome_ = co_await talk();
    typed_.reset();
    waiting_.cancel();
    timer_.cancel();
    state_ = State::starting;
    co_await conversation_.end();
    loop_.stop();
  }

  Task<Outcome<Exit>> talk() {
    if (order_.prompt && order_.timeout.count() > 0) timer_.arm_in(order_.timeout, [this] { on_timeout(); });
    if (!order_.prompt) typed_.emplace(console_, console_.paint(Ink::bold, chat_prompt), chat_prompt_cells);
    show_waiting("starting");
    auto begun = co_await conversation_.begin(order_.session_id);
    stop_waiting();
    if (!begun) co_return failed(std::move(begun).error());
    const auto kept = remember_session(order_.wishes.agent, order_.wishes.cwd, conversation_.session_id());
    if (!kept) console_.detail(fmt::format("· --continue will not find this conversation: {}", kept.error().detail));
    if (!order_.prompt) co_return co_await chat();
    co_return co_await turn(*order_.prompt);
  }

  Task<Outcome<Exit>> turn(std::string text) {
    state_ = State::turn;
    interrupted_ = timed_out_ = false;
    if (!order_.prompt && order_.timeout.count() > 0) timer_.arm_in(order_.timeout, [this] { on_timeout(); });
    waiting_.arm_in(first_look, [this] { look_at_turn(); });
    auto exit = co_await conversation_.prompt(std::move(text));
    stop_waiting();
    timer_.cancel();
    if (timed_out_) co_return failed(out_of_time());
    if (interrupted_ && !conversation_.is_over()) co_return Exit::interrupted;
    co_return exit;
  }

  Task<Outcome<Exit>> chat() {
    console_.status("▸ type a prompt; Ctrl-C stops a turn, exit or Ctrl-D leaves; /help tells more");
    for (;;) {
      console_.prompt("");  // begins a line
      state_ = State::typing;
      const std::optional<std::string> line = co_await pool_.run([this] { return typed_->read(stop_typing_); });
      console_.prompt("");  // behind what was said meanwhile
      if (!line) co_return stop_typing_ ? Exit::interrupted : Exit::success;
      if (is_farewell(*line)) co_return Exit::success;
      if (is_blank(*line)) continue;
      if (is_call_for_help(*line) && !agent_helps_) {
        console_.question(chat_help);
        continue;
      }
      const auto exit = co_await turn(*line);
      if (!exit && conversation_.is_over()) co_return failed(exit.error());
      if (!exit) console_.fail(at_command_line(exit.error(), run_command_row));
    }
  }

  void on_signal(int number) {
    if (obey_shell(number)) return;
    if (number == SIGINT && state_ == State::turn && !std::exchange(interrupted_, true)) {
      console_.status("▸ cancelling; Ctrl-C again leaves at once");
      if (typed_) hold_typed();
      conversation_.cancel();
      waiting_.arm_in(cancel_patience, [this] { console_.status("▸ the agent has not stopped yet; Ctrl-C again ends it"); });
    } else if (number == SIGINT && state_ == State::typing) {
      stop_typing_ = true;
    } else {
      leave(number == SIGQUIT ? Exit::quit : Exit::interrupted);
    }
  }

  void on_reader_left() {
    if (const int error = console_.write_error(); error != 0 && error != EPIPE) {
      console_.fail({.what = "stdout cannot be written", .why = errno_text(error)});
      leave(Exit::failure);
    }
    leave(Exit::interrupted);
  }

  void stop_waiting() {
    waiting_.cancel();
    console_.clear_passing();
  }

  // Within a turn, on a terminal: the same as at the start, as often as nothing is to be seen for a while.
  void look_at_turn() {
    const Millis quiet = std::chrono::duration_cast<Millis>(Clock::now() - conversation_.seen_at());
    const Millis patience = conversation_.has_shown() ? usual_pause : first_look;
    if (conversation_.is_quiet() && quiet >= patience) {
      const std::string doing = conversation_.doing();
      const std::string whom = doing.empty() ? fmt::format("waiting for {}", order_.wishes.agent)
                                             : fmt::format("{}: {}", order_.wishes.agent, doing);
      console_.passing(fmt::format("▸ {}{} {} s", whom, whom.ends_with("…") ? "" : " …", quiet / Millis(1'000)));
    }
    waiting_.arm_in(waiting_step, [this] { look_at_turn(); });
  }

  // While there is nothing to see, on a terminal: that it goes on, and for how long.
  void show_waiting(std::string_view doing) {
    const TimePoint since = Clock::now();
    waiting_.arm_in(waiting_step, [this, doing, since] { tick(doing, since); });
  }
  void tick(std::string_view doing, TimePoint since) {
    const Millis waited = std::chrono::duration_cast<Millis>(Clock::now() - since);
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(waited).count();
    if (state_ == State::starting && waited >= usual_start && !std::exchange(told_waiting_, true))
      conversation_.tell_waiting(waited);
    console_.passing(fmt::format("▸ {} {} … {} s", doing, order_.wishes.agent, seconds));
    waiting_.arm_in(waiting_step, [this, doing, since] { tick(doing, since); });
  }

  void on_timeout() {
    if (std::exchange(timed_out_, true) || state_ != State::turn) {
      console_.fail(out_of_time());
      return leave(Exit::time_limit);
    }
    conversation_.cancel();
    timer_.arm_in(cancel_patience, [this] { on_timeout(); });
  }

  Failure out_of_time() const {
    return {.exit = Exit::time_limit,
            .what = fmt::format("{} took longer than {} s", state_ == State::turn ? "the turn" : "the start of the agent",
                                static_cast<double>(order_.timeout.count()) / 1e3),
            .what_to_do = "a longer --timeout"};
  }

  // Without waiting for anybody; the daemon ends the instance meanwhile.
  [[noreturn]] void leave(Exit exit) {
    if (typed_) typed_->leave();
    if (typed_) hold_typed();  // it was not meant for the shell
    restore_terminal();
    console_.clear_passing();
    console_.end_line();
    conversation_.leave();
    ::_exit(static_cast<int>(exit));
  }

  Console& console_;
  RunOrder order_;
  Loop loop_;
  WorkerPool pool_;
  Conversation conversation_;
  Timer timer_;
  Timer waiting_;
  SignalWatch signals_;
  std::optional<ChatInput> typed_;  // of a chat
  StopFlag stop_typing_ = false;
  State state_ = State::starting;
  bool interrupted_ = false;  // this turn, once
  bool timed_out_ = false;
  bool told_waiting_ = false;  // that the start takes long
  bool agent_helps_ = false;   // it has a command named help
  std::optional<Outcome<Exit>> outcome_;
};

// Of a daemon elsewhere nothing is known of the folder here.
Outcome<std::string> working_folder(const Invocation& given, bool local) {
  std::string wanted = given.has("--cwd") ? given.value("--cwd") : ".";
  if (!local && wanted.starts_with('/')) return wanted;
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::canonical(wanted, error);
  if (error || !std::filesystem::is_directory(folder, error))
    return failed({.exit = Exit::usage,
                   .what = fmt::format("'{}' is not a folder", wanted),
                   .why = error ? error.message() : "",
                   .what_to_do = "another -C"});
  if (!is_utf8(folder.native()))
    return failed({.exit = Exit::usage,
                   .what = fmt::format("the name of the folder '{}' is not UTF-8", repair_utf8(folder.native(), PATH_MAX)),
                   .why = "agents are told of their folder in JSON, which knows no other text",
                   .what_to_do = "a folder with another name"});
  return folder.string();
}

Outcome<Exit> run(Invocation& given) {
  RunOrder order;
  TRY(order.wishes.permissions, permission_rule(given));
  TRY(order.timeout, seconds_of(given, "--timeout", Millis(0)));
  TRY(order.prompt, prompt_of(given));
  TRY(order.wishes.cwd, working_folder(given, !names_server(given)));
  TRY(UsedServer server, use_server(given));
  TRY(ReadyAgent agent, ready_agent(given, server));
  order.wishes.agent = std::move(agent.id);
  order.wishes.key = std::move(agent.key);
  order.wishes.is_demo = agent.is_demo;
  order.wishes.server = server.address;
  order.wishes.server_id = "run-" + random_word();
  if (given.has("--continue")) {
    order.session_id = last_session(order.wishes.agent, order.wishes.cwd);
    if (order.session_id.empty()) given.console().status("▸ nothing to continue in this folder; beginning anew");
  }
  return Run(given.console(), std::move(order)).run();
}

constexpr Argument run_arguments[] = {
    {"PROMPT", "what to ask, as one or more words; '-' adds what comes from stdin", Argument::Count::any}};

constexpr Option run_options[] = {
    {"--agent", "-a", "AGENT", "the agent to use; else SANDBOX_AGENT_AGENT, else one with a key, else the demo agent",
     Completes::agent},
    {"--cwd", "-C", "DIR", "the folder the agent works in; else this one", Completes::folder},
    {"--file", "-f", "FILE", "a file with the prompt, or with more of it", Completes::file},
    SA_PERMISSION_OPTIONS,
    {"--continue", "-c", "", "go on with the last conversation with this agent in this folder"},
    {"--timeout", "", "SECONDS", "cancel a turn that takes longer"},
    idle_exit_option,
};

}  // namespace

extern const Command run_command_row{
    .name = "run",
    .section = Section::first,
    .summary = "Ask an agent: one turn, its answer on stdout",
    .help =
        "What is piped in is read too. Without a prompt on a terminal: a small chat. Starts a daemon when none runs, and "
        "installs the agent when it has to. Ctrl-C cancels the turn, a second one leaves.",
    .arguments = run_arguments,
    .options = run_options,
    .shared = Shared::server,
    .json = {JsonOutput::Kind::lines, "One event of the turn per line, 'end' or a failure last.", schema_of<TurnEvent>},
    .run = run,
    .example = "sandbox-agent run \"What does this folder contain?\""};

}  // namespace sa
