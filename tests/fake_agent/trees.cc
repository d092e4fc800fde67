// The shapes a process tree can take. {"kind":…} grows one; the answer comes when it stands. Descendants keep the
// agent's standard streams open, inherit the marker through the environment, and die by alarm if nobody ends them.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "behaviours.h"

namespace fake {
namespace {

char note_path[4096];

void note_the_signal(int) {
  const int fd = open(note_path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (fd >= 0) close(fd);
  _exit(0);
}

unsigned ending_takes_us = 0;

void end_with_care(int) {
  usleep(ending_takes_us);
  note_the_signal(0);
}

[[noreturn]] void sit() {
  for (;;) pause();
}

// Forks a process that runs `body`. The parent learns when the body has called ready().
class Descendant {
 public:
  template <typename Body>
  explicit Descendant(Body body) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    const pid_t pid = fork();
    if (pid == 0) {
      close(ends[0]);
      alarm(safety_seconds);
      ready_fd_ = ends[1];
      body(*this);
      sit();
    }
    close(ends[1]);
    char byte;
    while (read(ends[0], &byte, 1) < 0) continue;
    close(ends[0]);
    pid_ = pid;
  }
  void ready() const { [[maybe_unused]] const auto told = write(ready_fd_, "", 1); }
  void wait() const { waitpid(pid_, nullptr, 0); }

 private:
  int ready_fd_ = -1;
  pid_t pid_ = -1;
};

void grow_same_group() {
  Descendant child([](const Descendant& self) { self.ready(); });
}

void grow_own_group() {
  Descendant child([](const Descendant& self) {
    setpgid(0, 0);
    self.ready();
  });
}

void grow_setsid() {
  Descendant child([](const Descendant& self) {
    setsid();
    self.ready();
  });
}

// A daemon: new session, second fork, the middle one gone.
void grow_double_fork() {
  Descendant middle([](const Descendant& self) {
    setsid();
    Descendant orphan([](const Descendant& last) { last.ready(); });
    self.ready();
    _exit(0);
  });
  middle.wait();
}

void grow_ignoring_term() {
  signal(SIGTERM, SIG_IGN);
  Descendant child([](const Descendant& self) {
    setsid();
    self.ready();
  });
}

// Hops: each process forks its successor and leaves, so that its pid is never the one just seen. Bounded, so that a
// storm nobody reaps cannot use up the pids of the machine.
[[noreturn]] void hop(int hops) {
  for (; hops > 0; --hops) {
    if (fork() > 0) _exit(0);
    alarm(30);
    usleep(10000);
  }
  _exit(0);
}

// `count` processes: some in sessions of their own, some deaf to SIGTERM, some hopping.
void grow_storm(std::int64_t count) {
  signal(SIGCHLD, SIG_IGN);
  for (std::int64_t i = 0; i < count; ++i) {
    if (fork() != 0) continue;
    alarm(30);
    if (i % 2 == 0) setsid();
    if (i % 3 == 0) signal(SIGTERM, SIG_IGN);
    if (i % 8 == 0) hop(300);
    sit();
  }
}

// {kind, note?, count?}. `note`: a grandchild in its own session makes that file when it gets SIGTERM.
void tree(Agent& agent, const Envelope& envelope) {
  const auto kind = text_member(envelope.params, "kind");
  const auto note = text_member(envelope.params, "note");
  if (!note.empty()) {
    std::snprintf(note_path, sizeof note_path, "%s", note.c_str());
    Descendant child([](const Descendant& self) {
      setsid();
      signal(SIGTERM, note_the_signal);
      self.ready();
    });
  }
  if (kind == "same_group") grow_same_group();
  if (kind == "own_group") grow_own_group();
  if (kind == "setsid" || kind == "child_gone") grow_setsid();
  if (kind == "double_fork") grow_double_fork();
  if (kind == "ignores_term") {
    grow_ignoring_term();
    agent.stay_after_eof();
  }
  if (kind == "storm") grow_storm(number_member(envelope.params, "count", 150));
  agent.answer(envelope.id, R"({"grown":)" + quoted(kind) + "}");
  if (kind == "child_gone") _exit(0);
}

// {ms, note}: from now on SIGTERM ends it that much later, and makes that file just before.
void end_slowly(Agent& agent, const Envelope& envelope) {
  std::snprintf(note_path, sizeof note_path, "%s", text_member(envelope.params, "note").c_str());
  ending_takes_us = static_cast<unsigned>(number_member(envelope.params, "ms", 500)) * 1000;
  agent.stay_after_eof();
  signal(SIGTERM, end_with_care);
  agent.answer(envelope.id, R"({"slow":true})");
}

constexpr BehaviourRow rows[] = {{"tree", tree}, {"end_slowly", end_slowly}};

}  // namespace

std::span<const BehaviourRow> tree_behaviours() { return rows; }

}  // namespace fake
