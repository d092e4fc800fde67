#include "acp/request_table.h"

namespace sa {
namespace {

constexpr std::size_t most_pending = 65'536;

}  // namespace

void RecentIds::insert(const std::string& id) {
  numbers_[id] = next_;
  order_.emplace_back(next_++, id);
  const auto is_live = [this](const auto& entry) {
    const auto found = numbers_.find(entry.second);
    return found != numbers_.end() && found->second == entry.first;
  };
  for (; numbers_.size() > most_; order_.pop_front())
    if (is_live(order_.front())) numbers_.erase(order_.front().second);
  if (order_.size() > 2 * most_) std::erase_if(order_, [&](const auto& entry) { return !is_live(entry); });
}

void RecentIds::clear() {
  numbers_.clear();
  order_.clear();
}

Result<void> RequestTable::open(const std::string& id, Waiter* waiter) {
  if (pending_.contains(id))
    return fail(ErrorCode::conflict, "A request with this id is still in flight. Use another id, or wait for its answer.");
  if (pending_.size() >= most_pending)
    return fail(ErrorCode::overloaded, "Too many requests wait for this agent. Wait for answers, or DELETE the instance.");
  pending_.emplace(id, waiter);
  return {};
}

void RequestTable::abandon(const std::string& id) {
  if (auto found = pending_.find(id); found != pending_.end()) found->second = nullptr;
}

Waiter* RequestTable::answered(const std::string& id) {
  auto found = pending_.find(id);
  if (found == pending_.end()) return nullptr;
  Waiter* waiter = found->second;
  pending_.erase(found);
  return waiter;
}

void RequestTable::fail_all(const Error& error) {
  for (auto& [id, waiter] : std::exchange(pending_, {})) {
    if (!waiter) continue;
    waiter->outcome = std::unexpected(error);
    waiter->wake.notify();
  }
  asked_.clear();
}

void RequestTable::agent_asked(const std::string& id) {
  settled_.erase(id);
  asked_.insert(id);
}

bool RequestTable::client_answers(const std::string& id) {
  if (settled_.contains(id)) return false;
  if (asked_.erase(id)) settled_.insert(id);
  return true;  // an id the agent never used is its own business
}

}  // namespace sa
