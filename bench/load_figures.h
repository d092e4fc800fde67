// What a load cost, round by round.
#pragma once

#include <vector>

#include "http_load.h"

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

// Round by round, how much more a request costs in `many` than in `few`.
inline std::vector<double> growth(const LoadFigures& few, const LoadFigures& many) {
  std::vector<double> ratios(few.cpu_us.size());
  for (std::size_t at = 0; at < ratios.size(); ++at) ratios[at] = many.cpu_us[at] / few.cpu_us[at];
  return ratios;
}

}  // namespace bench
