#include "report.h"

#include <algorithm>
#include <cstdio>
#include <functional>

#include "statistics.h"

namespace bench {
namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
  return text;
}

}  // namespace

std::string Report::judge(double value, double limit) {
  if (limit == 0) return "";
  if (value <= limit) return "yes";
  all_hold_ = false;
  return "**no**";
}

void Report::compare(const Figure& figure, const std::vector<double>& floor, const std::vector<double>& daemon) {
  std::vector<double> ratios(floor.size());
  std::ranges::transform(daemon, floor, ratios.begin(), std::divides{});
  const double ratio = median(ratios);
  rows_.push_back({figure.measure, number(median(floor)) + " " + figure.unit, number(median(daemon)) + " " + figure.unit,
                   number(ratio) + " ×", figure.limit > 0 ? "≤ " + number(figure.limit) + " ×" : "",
                   judge(ratio, figure.limit)});
}

void Report::state(const Figure& figure, double value, double floor) {
  rows_.push_back({figure.measure, floor > 0 ? number(floor) + " " + figure.unit : "", number(value) + " " + figure.unit, "",
                   figure.limit > 0 ? "≤ " + number(figure.limit) + " " + figure.unit : "", judge(value, figure.limit)});
}

void Report::print() const {
  std::puts("| measure | floor | daemon | ratio | limit | ok |\n|---|--:|--:|--:|--:|---|");
  for (const Row& row : rows_)
    std::printf("| %s | %s | %s | %s | %s | %s |\n", row.measure.c_str(), row.floor.c_str(), row.daemon.c_str(),
                row.ratio.c_str(), row.limit.c_str(), row.ok.c_str());
}

}  // namespace bench
