// What the benchmark found: one row per figure, curves, and whether all limits hold. Prints tables for people and writes a
// file for programs.
#pragma once

#include <string>
#include <vector>

#include "curve.h"

namespace bench {

// A figure and its unit, and what must hold for it. A limit of 0: none, the row only informs.
struct Figure {
  std::string measure;
  std::string unit;
  double limit = 0;
};

class Report {
 public:
  // The rows and curves from now on belong to this measure.
  void begin(std::string measure) { group_ = std::move(measure); }

  // Floor and daemon by round, in turns. Prints the medians and the median of the rounds' ratios; the limit is on the latter.
  void compare(const Figure& figure, const std::vector<double>& floor, const std::vector<double>& daemon);
  // The limit is on the value itself. A floor of 0: there is none.
  void state(const Figure& figure, double value, double floor = 0);
  // Another server and the daemon by round, in turns: a table of its own. The limit is on how many times less the daemon takes,
  // and it must be at least that.
  void compare_peer(const Figure& figure, const std::vector<double>& peer, const std::vector<double>& daemon);
  // The same for what has no rounds.
  void compare_peer(const Figure& figure, double peer, double daemon);
  // Of what more is better; no limit. Also for shares that both have.
  void compare_peer_gain(const Figure& figure, double peer, double daemon);
  void draw(Curve curve);

  void print() const;  // Markdown, on standard output
  bool all_hold() const;

  enum class Against { nothing, floor, peer };
  struct Row {
    std::string group;
    Figure figure;
    Against against;
    bool limit_on_ratio;
    bool more_is_better;
    double other;  // of the floor or the peer
    double daemon;
    double ratio;  // to the floor: how much more the daemon takes; to the peer: how much less. 0: none
    bool holds;
  };
  const std::vector<Row>& rows() const { return rows_; }
  const std::vector<Curve>& curves() const { return curves_; }

 private:
  void add_peer(const Figure& figure, double peer, double daemon, double ratio, bool more_is_better);

  std::string group_;
  std::vector<Row> rows_;
  std::vector<Curve> curves_;
};

}  // namespace bench
