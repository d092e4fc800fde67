// What a load cost, round by round.
#pragma once

#include <string>
#include <vector>

#include "http_load.h"
#include "statistics.h"

namespace bench {

struct LoadFigures {
  std::vector<double> cpu_us, p50_us, p99_us, per_second;
  void add(const LoadResult& result) {
    cpu_us.push_back(result.cpu_us);
    p50_us.push_back(result.p50_us);
    p99_us.push_back(result.p99_us);
    per_second.push_back(result.per_second);
  }
};

// For a daemon with many instances: all rings are full after the warm-up. What a ring costs while it fills is a measure of its
// own.
inline const std::vector<std::string> small_rings{"--ring-messages", "64"};

// How much more a request costs in `many` than in `few`. Of each the lower quartile counts: what disturbs a round only adds to
// it, and a ratio of ratios would keep the noise of four.
inline std::vector<double> growth(const LoadFigures& few, const LoadFigures& many) {
  return {quantile(many.cpu_us, 0.25) / quantile(few.cpu_us, 0.25)};
}

}  // namespace bench
