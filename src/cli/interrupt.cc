#include "cli/interrupt.h"

namespace sa {
namespace {

StopFlag interrupted = false;  // where the handler finds it

void on_signal(int) { interrupted = true; }

}  // namespace

InterruptFlag::InterruptFlag() {
  interrupted = false;
  struct sigaction action{};
  action.sa_handler = on_signal;
  ::sigaction(SIGINT, &action, &before_int_);
  ::sigaction(SIGTERM, &action, &before_term_);
  if (before_int_.sa_handler == SIG_IGN) ::sigaction(SIGINT, &before_int_, nullptr);  // nohup and shells mean it
}

InterruptFlag::~InterruptFlag() {
  ::sigaction(SIGINT, &before_int_, nullptr);
  ::sigaction(SIGTERM, &before_term_, nullptr);
}

bool is_interrupted() {
  sigset_t waiting;
  ::sigpending(&waiting);
  bool any = interrupted;
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) any = any || ::sigismember(&waiting, number) == 1;
  return any;
}

const StopFlag& InterruptFlag::flag() const { return interrupted; }

}  // namespace sa
