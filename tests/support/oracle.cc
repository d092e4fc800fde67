#include "oracle.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <future>

#include "survivors.h"

namespace rig {
namespace {

constexpr std::uint64_t wakeup_token = UINT64_MAX;

}  // namespace

Oracle::Oracle(std::uint16_t port, std::string token, std::filesystem::path ledgers, std::string mark)
    : port_(port),
      token_(std::move(token)),
      ledger_directory_(std::move(ledgers)),
      mark_(std::move(mark)),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      wakeup_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      scratch_(std::size_t{256} * 1024, '\0') {
  epoll_event event{.events = EPOLLIN, .data = {.u64 = wakeup_token}};
  epoll_ctl(epoll_, EPOLL_CTL_ADD, wakeup_, &event);
  thread_ = std::thread([this] { loop(); });
}

Oracle::~Oracle() {
  run_on_loop([this] { stopping_ = true; });
  thread_.join();
  close(epoll_);
  close(wakeup_);
}

void Oracle::run_on_loop(const std::function<void()>& action) {
  std::promise<void> done;
  {
    const std::lock_guard lock(mutex_);
    commands_.emplace_back([&] {
      action();
      done.set_value();
    });
  }
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto told = write(wakeup_, &one, sizeof one);
  done.get_future().wait();
}

void Oracle::take_commands() {
  std::uint64_t count;
  [[maybe_unused]] const auto seen = read(wakeup_, &count, sizeof count);
  std::vector<std::function<void()>> commands;
  {
    const std::lock_guard lock(mutex_);
    commands.swap(commands_);
  }
  for (const auto& command : commands) command();
}

void Oracle::loop() {
  epoll_event events[64];
  while (!stopping_) {
    const int count = epoll_wait(epoll_, events, 64, throttled_.empty() ? -1 : 5);
    for (int i = 0; i < count; ++i) {
      if (events[i].data.u64 == wakeup_token) {
        take_commands();
        continue;
      }
      const auto reader = static_cast<Reader>(events[i].data.u64);
      if (readers_[reader]->descriptor() < 0 || readers_[reader]->paused) continue;
      after_reading(reader, readers_[reader]->read_ready(scratch_));
    }
    wake_throttled();
  }
}

void Oracle::after_reading(Reader reader, OracleReader::After what) {
  switch (what) {
    case OracleReader::After::keep_reading:
    case OracleReader::After::closed: return;
    case OracleReader::After::throttle:
      watch(reader, false);
      throttled_.push_back(reader);
      return;
    case OracleReader::After::reconnect:
      if (readers_[reader]->connect() >= 0) watch(reader, true);
      return;
  }
}

void Oracle::wake_throttled() {
  const auto now = Clock::now();
  std::erase_if(throttled_, [&](Reader reader) {
    if (readers_[reader]->throttled_until() > now) return false;
    if (!readers_[reader]->paused) watch(reader, true);
    return true;
  });
}

void Oracle::watch(Reader reader, bool on) {
  const int fd = readers_[reader]->descriptor();
  if (fd < 0) return;
  epoll_event event{.events = EPOLLIN, .data = {.u64 = reader}};
  epoll_ctl(epoll_, on ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, fd, &event);
}

void Oracle::know_agent(const std::string& instance_id, pid_t pid) {
  Ledger ledger(ledger_directory_, pid);
  run_on_loop([&] { ledgers_.emplace(instance_id, std::move(ledger)); });
}

std::uint64_t Oracle::in_ledger(const std::string& instance_id, std::uint64_t (Ledger::*number)() const) {
  std::uint64_t value = 0;
  run_on_loop([&] {
    const auto found = ledgers_.find(instance_id);
    if (found != ledgers_.end()) value = (found->second.*number)();
  });
  return value;
}

bool Oracle::has_said(const std::string& instance_id, std::uint64_t n, std::string_view line) {
  bool said = false;
  run_on_loop([&] {
    const auto found = ledgers_.find(instance_id);
    said = found != ledgers_.end() && found->second.matches(n, line);
  });
  return said;
}

Oracle::Reader Oracle::add_reader(ReaderPlan plan) {
  Reader reader = 0;
  run_on_loop([&] {
    reader = readers_.size();
    const auto lookup = [this](const std::string& instance_id) -> const Ledger* {
      const auto found = ledgers_.find(instance_id);
      return found == ledgers_.end() ? nullptr : &found->second;
    };
    readers_.push_back(std::make_unique<OracleReader>(std::move(plan), port_, token_, lookup));
    if (readers_[reader]->connect() >= 0) watch(reader, true);
  });
  return reader;
}

void Oracle::add_readers(std::size_t count, const ReaderPlan& plan) {
  for (std::size_t i = 0; i < count; ++i) add_reader(plan);
}

void Oracle::pause(Reader reader) {
  run_on_loop([&] {
    readers_[reader]->paused = true;
    watch(reader, false);
  });
}

void Oracle::resume(Reader reader) {
  run_on_loop([&] {
    readers_[reader]->paused = false;
    watch(reader, true);
  });
}

void Oracle::slow_down(Reader reader, std::uint64_t bytes_per_second) {
  run_on_loop([&] { readers_[reader]->plan().bytes_per_second = bytes_per_second; });
}

void Oracle::cut(Reader reader) {
  run_on_loop([&] { after_reading(reader, OracleReader::After::reconnect); });
}

void Oracle::leave(Reader reader) {
  run_on_loop([&] { readers_[reader]->disconnect(); });
}

ReaderReport Oracle::report(Reader reader) {
  ReaderReport out;
  run_on_loop([&] { out = readers_[reader]->report(); });
  return out;
}

std::vector<ReaderReport> Oracle::reports() {
  std::vector<ReaderReport> out;
  run_on_loop([&] {
    for (const auto& reader : readers_) out.push_back(reader->report());
  });
  return out;
}

bool Oracle::all_reach(std::uint64_t id, milliseconds deadline) {
  return eventually(
      [&] {
        bool reached = true;
        run_on_loop([&] {
          for (const auto& reader : readers_) {
            if (!reader->paused && reader->descriptor() >= 0 && reader->last_id() < id) reached = false;
          }
        });
        return reached;
      },
      deadline);
}

std::vector<std::string> Oracle::verdict(bool gaps_allowed, milliseconds patience) {
  const auto behind = [&](const ReaderReport& reader, bool paused) {
    const auto found = ledgers_.find(reader.instance_id);
    return !paused && reader.open && found != ledgers_.end() && reader.last_id < found->second.written();
  };
  std::vector<std::string> wrong;
  const auto collect = [&] {
    wrong.clear();
    for (Reader i = 0; i < readers_.size(); ++i) {
      const auto report = readers_[i]->report();
      const auto name = "reader " + std::to_string(i) + " ";
      for (const auto& fault : report.faults) wrong.push_back(name + fault);
      if (report.awaits_gap && !readers_[i]->paused) wrong.push_back(name + "was not told that its position is none");
      if (behind(report, readers_[i]->paused)) {
        wrong.push_back(name + "is missing the end: has " + std::to_string(report.last_id) + " of " +
                        std::to_string(ledgers_.at(report.instance_id).written()));
      }
      if (!gaps_allowed && !report.gaps.empty()) {
        wrong.push_back(name + "has " + std::to_string(report.gaps.size()) + " gaps");
      }
    }
  };
  eventually(
      [&] {
        run_on_loop(collect);
        return wrong.empty();
      },
      patience);
  return wrong;
}

std::size_t Oracle::survivors() const { return marked_agents(mark_).size(); }

}  // namespace rig
