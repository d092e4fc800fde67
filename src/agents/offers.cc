#include "agents/offers.h"

namespace sa {

const ProbeResult* Offers::known(const std::string& agent, const std::string& version) const {
  const auto found = known_.find(agent);
  return found != known_.end() && found->second.first == version ? &found->second.second : nullptr;
}

Task<ProbeResult> Offers::ask(std::string agent, std::string version, ChildSpec child, bool fresh) {
  if (const auto* before = known(agent, version); before && !fresh) co_return *before;
  if (const auto found = questions_.find(agent); found != questions_.end() && found->second->version == version) {
    const std::shared_ptr<Question> question = found->second;
    Signal answered(loop_);
    question->waiting.push_back(&answered);
    while (!question->answer) co_await answered.wait();
    std::erase(question->waiting, &answered);
    co_return *question->answer;
  }
  const auto question = std::make_shared<Question>(Question{version, {}, {}});
  questions_[agent] = question;
  auto result = co_await probe_agent(loop_, processes_, pool_, std::move(child), {.stop = &stop_});
  if (!result) result = ProbeResult{{}, {}, result.error().detail};
  question->answer = *result;
  if (const auto found = questions_.find(agent); found != questions_.end() && found->second == question)
    questions_.erase(found);
  if (!result->error) known_[agent] = {version, *result};
  for (Signal* waiting : question->waiting) waiting->notify();
  co_return *result;
}

}  // namespace sa
