// Medians: what an unlucky moment of a shared machine changes least.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace bench {

template <class Number>
double quantile(std::vector<Number> values, double share) {
  if (values.empty()) return 0;
  const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return static_cast<double>(values[static_cast<std::size_t>(place)]);
}

template <class Number>
double median(std::vector<Number> values) {
  return quantile(std::move(values), 0.5);
}

}  // namespace bench
