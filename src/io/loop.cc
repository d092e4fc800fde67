#include "io/loop.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

namespace sa {

Loop::Loop() : context_(std::make_unique<boost::asio::io_context>(1)) {}
Loop::~Loop() = default;

void Loop::run() { context_->run(); }
void Loop::stop() { context_->stop(); }

void Loop::make_ready(std::coroutine_handle<> waiter) {
  ready_.push_back(waiter);
  if (depth_ == 0 && ready_.size() == 1) post([] {});
}

void Loop::post(std::function<void()> work) {
  boost::asio::post(*context_, [this, work = std::move(work)] { enter(work); });
}

void Loop::drain() {
  ++depth_;
  while (!ready_.empty()) {
    running_.swap(ready_);
    for (std::coroutine_handle<> waiter : running_) waiter.resume();
    running_.clear();
  }
  --depth_;
}

}  // namespace sa
