#include "acp/request_table.h"

namespace sa {
namespace {

constexpr std::size_t most_pending = 65'536;
constexpr std::size_t most_pending_bytes = 16u << 20;

}  // namespace

void RecentIds::insert(const std::string& id) {
  numbers_[id] = next_;
  order_.emplace_back(next_++, id);
  bytes_ += id.size();
  const auto is_live = [this](const auto& entry) {
    const auto found = numbers_.find(entry.second);
    return found != numbers_.end() && found->second == entry.first;
  };
  const bool mostly_erased = order_.size() > 2 * numbers_.size();  // else it would be done again and again, for little
  if (mostly_erased && (order_.size() > 2 * most_ || bytes_ > most_bytes_)) {
    std::erase_if(order_, [&](const auto& entry) { return !is_live(entry); });
    bytes_ = 0;
    for (const auto& entry : order_) bytes_ += entry.second.size();
  }
  for (; numbers_.size() > most_ || (bytes_ > most_bytes_ && order_.size() > 1); order_.pop_front()) {
    if (is_live(order_.front())) numbers_.erase(order_.front().second);
    bytes_ -= order_.front().second.size();
  }
}

bool RecentIds::erase(const std::string& id) { return numbers_.erase(id) > 0; }

void RecentIds::clear() {
  numbers_.clear();
  order_.clear();
  bytes_ = 0;
}

Result<void> RequestTable::open(const std::string& id, Waiter* waiter) {
  if (pending_.contains(id))
    return fail(ErrorCode::conflict, "A request with this id is still in flight. Use another id, or wait for its answer.");
  if (pending_.size() >= most_pending || (pending_bytes_ > 0 && pending_bytes_ + id.size() > most_pending_bytes))
    return fail(ErrorCode::overloaded, "Too many requests wait for this agent. Wait for answers, or DELETE the instance.");
  pending_.emplace(id, waiter);
  pending_bytes_ += id.size();
  return {};
}

void RequestTable::withdraw(const std::string& id) {
  if (pending_.erase(id) > 0) pending_bytes_ -= id.size();
}

void RequestTable::abandon(const std::string& id) {
  if (auto found = pending_.find(id); found != pending_.end()) found->second = nullptr;
}

Waiter* RequestTable::answered(const std::string& id) {
  auto found = pending_.find(id);
  if (found == pending_.end()) return nullptr;
  Waiter* waiter = found->second;
  pending_.erase(found);
  pending_bytes_ -= id.size();
  return waiter;
}

void RequestTable::fail_all(const Error& error) {
  for (auto& [id, waiter] : std::exchange(pending_, {})) {
    if (!waiter) continue;
    waiter->outcome = std::unexpected(error);
    waiter->wake.notify();
  }
  pending_bytes_ = 0;
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
