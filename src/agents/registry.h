// The registry's document: from its URL or file, with a copy on disk that is used for an hour, and longer when the registry
// cannot be reached. Blocking; any thread, several processes at once.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "base/stop_flag.h"

namespace sa {

struct RegistrySettings {
  std::string url;        // http(s) URL, file URL or path
  std::string copy_file;  // where the copy lies
  Millis fresh_for{3'600'000};
  Millis time_limit{15'000};
};

class Registry {
 public:
  explicit Registry(RegistrySettings settings) : settings_(std::move(settings)) {}
  Registry(const Registry&) = delete;

  struct Document {
    std::string json;
    std::string copy_of;  // the time of the copy that is used because the registry cannot be reached; else empty
  };
  // The document, fetched when the copy is older than an hour. Error: internal, with a sentence, when there is neither. What is
  // no registry counts as none, whether it comes over the net or lies in a file. Several at once wait for one fetch.
  Result<Document> get(const StopFlag& stop) const;
  // What is known without asking anybody. not_found when it was never asked; internal when a file is no registry or cannot be
  // read.
  Result<Document> known() const;

 private:
  bool is_remote() const;
  Result<Document> from_file() const;

  struct Failed {
    TimePoint at;
    Error error;
  };

  RegistrySettings settings_;
  mutable std::mutex fetching_;
  mutable std::optional<Failed> failure_;  // the last, under that mutex: who waited for it does not try once more
};

}  // namespace sa
