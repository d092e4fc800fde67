#include "daemon/daemon.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>

#include "api/api.h"
#include "base/log.h"
#include "base/version.h"
#include "base/write_all.h"
#include "daemon/agent_parts.h"
#include "daemon/background.h"
#include "daemon/idle_watch.h"
#include "daemon/places.h"
#include "daemon/port_holder.h"
#include "daemon/server_state.h"
#include "daemon/startup_text.h"
#include "http/application.h"
#include "http/server.h"
#include "io/end_watch.h"
#include "io/signal_watch.h"
#include "io/time_limit.h"

namespace sa {
namespace {

constexpr Millis drain_time{300};        // for answers under way, after the agents have ended; again while clients take them
constexpr Millis last_kill_time{250};    // for what outlived that
constexpr Millis word_time{100};         // for file work that was stopped to say so
constexpr Millis disk_time{300};         // for file work that does not hear the stop, such as on a disk that hangs
constexpr Millis own_files_time{20};     // for our own files, even when all else took too long
constexpr Millis all_answers{600};       // beyond the grace: then every answer ends
constexpr Millis give_way_quiet{150};    // without a request, before another one may take our place
constexpr Millis same_signal{1'000};     // a terminal and a runner may both send the one that somebody meant
constexpr Millis everything{950};        // beyond the grace, whatever hangs: a second is what is promised
constexpr std::size_t slow_threads = 4;  // for long work besides unpacking archives

GateSettings gate_settings(const Settings& settings, const Token& token) {
  return {token.value,           settings.host,         settings.allow_hosts,     settings.cors_origins,
          settings.cors_methods, settings.cors_headers, settings.cors_credentials};
}

std::vector<int> signals_to_heed() {
  std::vector<int> numbers = not_ignored({SIGINT, SIGHUP});
  numbers.insert(numbers.end(), {SIGTERM, give_way_signal});
  return numbers;
}

// The object graph. Members are built in this order and destroyed in the opposite one.
struct Daemon {
  Daemon(const Settings& the_settings, std::vector<Agent> known, const Token& token, FileRoot root)
      : settings(the_settings),
        files(std::move(root)),
        pool(loop),
        slow_pool(loop, settings.files.max_archives + slow_threads),
        own_pool(loop, 1),
        processes(loop, settings.instances.stop_grace),
        agents(loop, processes, settings, std::move(known)),
        instances(loop, processes, settings.instances, agent_source()),
        server(loop, pool, settings.http),
        api{settings,     instances, agents.agents, agents.offers, agents.registry, server,
            Clock::now(), files,     pool,          slow_pool,     stop_work},
        application(gate_settings(settings, token), routes(api)),
        progress(loop),
        signals(loop, signals_to_heed(), [this](int number) { on_signal(number); }),
        quiet(loop),
        input(loop, settings.end_with_stdin ? STDIN_FILENO : -1, [this] { on_input_end(); }),
        idle(loop, settings.daemon.idle_exit, [this] { return activity(); }, [this] { on_idle(); }) {
    server.set_application([this](Request& request, std::uint64_t& limit) { return application.answer(request, limit); });
  }

  AgentSource agent_source() {
    return {.resolve = [this](std::string name) { return resolve(std::move(name)); },
            .prepare = [this](const std::string& name,
                              std::shared_ptr<Preparation> preparation) { spawn(prepare(name, std::move(preparation))); }};
  }

  Task<Result<std::string>> resolve(std::string name) {
    CO_TRY(const AgentPtr agent, co_await find_agent(agents.agents, std::move(name)));
    co_return agent->manifest.id;
  }

  // For an instance that may be gone before this is done.
  Task<> prepare(std::string name, std::shared_ptr<Preparation> preparation) {
    const auto tell = [preparation](const InstallProgress& progress) { preparation->phase = progress.phase; };
    ++preparing;
    const auto agent = co_await find_agent(agents.agents, std::move(name));
    if (agent) preparation->agent = (*agent)->manifest.id;
    if (preparation->changed) preparation->changed->notify();
    preparation->outcome = agent ? co_await get_ready(agents.agents, *agent, tell) : fail(agent.error());
    if (preparation->changed) preparation->changed->notify();
    --preparing;
    progress.notify();
  }

  Activity activity() const {
    return {.requests = application.uses(),
            .busy = server.requests_under_way() > 0 || instances.any_alive() || agents.installer.running() > 0};
  }

  void on_idle() {
    if (stopping) return;
    log::info("nobody used this daemon for {} ms", settings.daemon.idle_exit.count());
    end();
  }

  // Somebody wants to start another in this one's place. Who has just asked for something may be about to ask for more.
  void give_way() {
    quiet.arm_in(give_way_quiet, [this, before = activity().requests] {
      if (stopping || activity().busy || activity().requests != before) return;
      log::info("giving way to another daemon");
      end();
    });
  }

  void on_input_end() {
    if (stopping) return;
    log::info("standard input was closed");
    end();
  }

  // First time: an orderly end. Somebody who is tired of waiting for that sends another: what is left is killed at once. Not
  // when it comes so soon that it may be the same once more, nor when another command asks for the same end.
  void on_signal(int number) {
    if (number == give_way_signal) return give_way();
    if (!stopping) return end();
    if (!signals.was_queued() && loop.now() - ending_since >= same_signal) processes.kill_all();
  }

  void end() {
    stopping = true;
    ending_since = loop.now();
    spawn(shut_down());
  }

  bool working() const { return server.connections() + agents.installer.running() + preparing + dropping > 0; }
  bool answering() const { return server.connections() + processes.alive() > 0; }

  // Answers that clients keep taking, such as the rest of an event stream, may go on until `latest`.
  Task<> finish_answers(TimePoint latest) {
    for (bool taken = true; taken && answering();) {
      const std::uint64_t before = server.counters().bytes_sent;
      const auto left = std::chrono::ceil<Millis>(latest - loop.now());
      const TimeLimit limit(loop, std::clamp(left, Millis(0), drain_time), progress);
      while (answering() && !limit.over()) co_await progress.wait();
      taken = server.counters().bytes_sent > before && loop.now() < latest;
    }
  }

  // One of the files that others find us by. On a worker: its disk may hang, and nothing of our end but the last step waits.
  Task<> drop(std::string path, void (*how)(const std::string& path)) {
    auto work = [&] {
      how(path);
      return true;
    };
    ++dropping;
    co_await own_pool.run(work);
    --dropping;
    progress.notify();
  }

  Task<> shut_down() {
    log::info("shutting down");
    const TimePoint grace_over = loop.now() + settings.instances.stop_grace;
    if (!state_file.empty()) spawn(drop(state_file, drop_state));
    server.drain();
    agents.stop();
    co_await instances.close_all();
    server.set_drained_signal(&progress);
    processes.set_listener(&progress);
    agents.installer.set_listener(&progress);
    co_await finish_answers(std::max(grace_over + all_answers, loop.now() + drain_time));
    stop_work = true;
    const TimeLimit last_words(loop, word_time, progress);
    while (server.connections() > 0 && !last_words.over()) co_await progress.wait();
    server.abort_all();
    processes.kill_all();
    const auto at_most = [&](Millis wanted) {
      return std::clamp(std::chrono::ceil<Millis>(grace_over + everything - loop.now()), Millis(0), wanted);
    };
    const TimeLimit last(loop, at_most(last_kill_time), progress);
    while (answering() && !last.over()) co_await progress.wait();
    if (settings.background) spawn(drop(background_pid_file(), [](const std::string& path) { ::unlink(path.c_str()); }));
    const TimeLimit disk(loop, std::max(at_most(disk_time), own_files_time), progress);
    while (working() && !disk.over()) co_await progress.wait();
    if (working()) {
      log::warn("work on files or the network does not end; leaving it behind");
      ::_exit(0);
    }
    server.set_drained_signal(nullptr);
    processes.set_listener(nullptr);
    agents.installer.set_listener(nullptr);
    loop.stop();
  }

  const Settings& settings;
  const FileRoot files;
  StopFlag stop_work = false;
  Loop loop;
  WorkerPool pool;
  WorkerPool slow_pool;
  WorkerPool own_pool;  // of drop(): work that hangs in the others must not stand in its way
  Processes processes;
  AgentParts agents;
  Instances instances;
  HttpServer server;
  Api api;
  Application application;
  Signal progress;  // of shut_down(): a connection or a process has ended
  SignalWatch signals;
  Timer quiet;  // of give_way()
  EndWatch input;
  IdleWatch idle;
  std::string state_file;
  std::size_t preparing = 0;  // prepare() under way
  std::size_t dropping = 0;   // drop() under way
  bool stopping = false;
  TimePoint ending_since{};
};

bool set_up_log(const Settings& settings) {
  constexpr std::string_view levels[] = {"debug", "info", "warn", "error", "off"};
  const auto* level = std::ranges::find(levels, settings.log_level);
  if (level == std::end(levels)) {
    print_error(fmt::format("there is no log level '{}'", settings.log_level), "", "debug, info, warn, error or off");
    return false;
  }
  log::set_level(static_cast<log::Level>(level - std::begin(levels)));
  if (settings.log_file.empty() || log::set_file(settings.log_file.c_str())) return true;
  print_error(fmt::format("the log file '{}' cannot be written", settings.log_file), errno_text(errno), "another --log-file");
  return false;
}

// Whether a server of this user and data folder listens there: one that `ui` finds.
bool is_this_user_s(std::uint16_t port) {
  return std::ranges::any_of(
      known_servers(), [ending = fmt::format(":{}", port)](const ServerState& server) { return server.url.ends_with(ending); });
}

void report_bind_failure(const Settings& settings, const Error& error, int error_number) {
  if (error_number != EADDRINUSE) {
    print_error(fmt::format("cannot listen on {} port {}", settings.host, settings.port), error.detail,
                "another --host or --port");
    return;
  }
  const PortHolder holder = find_port_holder(settings.port);
  print_error(port_taken_sentence(settings.port), holder.text.empty() ? "" : "held by: " + holder.text,
              is_this_user_s(settings.port) ? "sandbox-agent ui   — or pick another with --port" : "pick another with --port");
}

// Leaves the state file. A background daemon without one could not be found again: false.
bool tell_other_commands(Daemon& daemon, const Token& token, const std::string& url) {
  auto stored = store_state(own_state(daemon.settings, token, url));
  if (stored) {
    daemon.state_file = *stored;
    return true;
  }
  if (daemon.settings.background) {
    print_error(fmt::format("the folder {} cannot be written", state_directory()), stored.error().detail,
                "set XDG_DATA_HOME to a folder of yours");
    return false;
  }
  log::warn("other commands will not find this server; {} cannot be written: {}", state_directory(), stored.error().detail);
  return true;
}

// The three standard streams stay open: a client's connection would get their number, and our log's lines.
void tell_ready_fd(int fd, const std::string& line) {
  if (fd < 0) return;
  if (::write(fd, line.data(), line.size()) < 0) log::warn("--ready-fd {}: {}", fd, errno_text(errno));
  if (fd > STDERR_FILENO) ::close(fd);
}

// The file routes start at --fs-root, which confines them, or else at home, which does not.
Result<FileRoot> open_file_root(const Settings& settings) {
  if (settings.fs_root.empty()) return FileRoot::open(home_directory(), Confined::no);
  auto root = FileRoot::open(absolute_path(settings.fs_root), Confined::yes);
  if (!root)
    return fail(ErrorCode::invalid_request,
                fmt::format("--fs-root {} cannot be used: {}", settings.fs_root, root.error().detail));
  return root;
}

int refuse(const Error& error) {
  print_error(error.detail, "", "sandbox-agent server --help");
  return static_cast<int>(error_row(error.code).exit);
}

}  // namespace

int run_daemon(const Settings& settings) {
  ::signal(SIGPIPE, SIG_IGN);
  ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);  // what we inherited is not for our agents
  if (!set_up_log(settings)) return 1;

  auto token = choose_token(settings);
  if (!token) return refuse(token.error());
  if (settings.background && token->generated)
    if (std::string kept = take_kept_token(); !kept.empty()) token->value = std::move(kept);
  if (settings.ready_fd >= 0 && ::fcntl(settings.ready_fd, F_GETFD) < 0)
    return refuse({ErrorCode::invalid_request, fmt::format("--ready-fd {} is not an open descriptor", settings.ready_fd), {}});
  if (settings.end_with_stdin && !EndWatch::can_watch(STDIN_FILENO))
    return refuse({ErrorCode::invalid_request, "--end-with-stdin needs a pipe as standard input", {}});
  if (token->value.empty() && !is_loopback_host(settings.host) && !settings.allow_open) {
    print_error(fmt::format("refusing to serve {} without a token", settings.host),
                "everybody who reaches this address could run commands here",
                "a token (SANDBOX_AGENT_TOKEN) — or --allow-open as well, if this is a closed sandbox");
    return 2;
  }
  if (token->value.empty() && std::ranges::find(settings.cors_origins, "*") != settings.cors_origins.end())
    log::warn("without a token and with --cors-allow-origin '*' every web page this machine opens can run agents here");
  auto known = known_agents(settings, [](const std::string& sentence) { log::warn("{}", sentence); });
  if (!known) return refuse(known.error());

  auto root = open_file_root(settings);
  if (!root) return refuse(root.error());
  Daemon daemon(settings, std::move(*known), *token, std::move(*root));
  int error_number = 0;
  const auto bound = daemon.server.listen(settings.host, settings.port, error_number);
  if (!bound) {
    report_bind_failure(settings, bound.error(), error_number);
    return 1;
  }
  const std::string url = url_of(bound->host, bound->port);
  if (!tell_other_commands(daemon, *token, url)) return 1;
  const std::string ready = ready_line(url, bound->port, *token);
  if (settings.background) {
    log::info("sandbox-agent {} listening on {} in the background", version, url);  // into a log: without the token
  } else {
    const bool stored = !daemon.state_file.empty();
    (void)write_all(STDOUT_FILENO, settings.json ? ready : startup_text(url, *token, stored, daemon.agents.agents, settings));
  }
  daemon.server.start_accepting();
  tell_ready_fd(settings.ready_fd, ready);
  daemon.loop.run();
  return 0;
}

}  // namespace sa
