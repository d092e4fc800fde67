#include "api/install_events.h"

#include <fmt/format.h>

#include "api/agents_documents.h"
#include "base/log.h"
#include "http/response.h"

namespace sa {
namespace {

SharedBytes event(std::string_view name, std::string_view data) {
  return SharedBytes::own(fmt::format("event: {}\ndata: {}\n\n", name, data));
}

}  // namespace

InstallEvents::~InstallEvents() {
  if (wake_) job_->unwatch(*wake_);
}

void InstallEvents::start(Signal& wake) {
  wake_ = &wake;
  job_->watch(wake);
}

void InstallEvents::take(std::vector<SharedBytes>& out, std::size_t) {
  if (ended_) return;
  if (job_->revision() != told_) out.push_back(event("progress", to_json(job_->progress())));
  told_ = job_->revision();
  if (!job_->outcome()) return;
  ended_ = true;
  if (const auto& outcome = *job_->outcome()) {
    out.push_back(event("done", to_json(installed_document(*outcome))));
  } else {
    if (!outcome.error().logged) log::warn("{}", outcome.error().detail);
    out.push_back(event("problem", problem_document(outcome.error())));
  }
}

}  // namespace sa
