// The table of the benchmark: one row per figure, and whether all limits hold.
#pragma once

#include <string>
#include <vector>

namespace bench {

// A figure and its unit, and what must hold for it. A limit of 0: none, the row only informs.
struct Figure {
  std::string measure;
  std::string unit;
  double limit = 0;
};

class Report {
 public:
  // Floor and daemon by round, in turns. Prints the medians and the median of the rounds' ratios; the limit is on the latter.
  void compare(const Figure& figure, const std::vector<double>& floor, const std::vector<double>& daemon);
  // The limit is on the value itself. A floor of 0: there is none.
  void state(const Figure& figure, double value, double floor = 0);

  void print() const;  // Markdown, on standard output
  bool all_hold() const { return all_hold_; }

 private:
  struct Row {
    std::string measure, floor, daemon, ratio, limit, ok;
  };
  std::string judge(double value, double limit);

  std::vector<Row> rows_;
  bool all_hold_ = true;
};

}  // namespace bench
