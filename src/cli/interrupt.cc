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
}

InterruptFlag::~InterruptFlag() {
  ::sigaction(SIGINT, &before_int_, nullptr);
  ::sigaction(SIGTERM, &before_term_, nullptr);
}

const StopFlag& InterruptFlag::flag() const { return interrupted; }

}  // namespace sa
