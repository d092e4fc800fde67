#include "report.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <utility>

#include "statistics.h"

namespace bench {
namespace {

std::string number(double value) {
  if (value == 0) return "0";
  char text[32];
  std::snprintf(text, sizeof text, value < 1 ? "%.3f" : value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
  return text;
}

std::string with_unit(double value, const std::string& unit) { return number(value) + (unit.empty() ? "" : " " + unit); }

std::vector<double> ratios_of(const std::vector<double>& upper, const std::vector<double>& lower) {
  std::vector<double> ratios(lower.size());
  std::ranges::transform(upper, lower, ratios.begin(), std::divides{});
  return ratios;
}

std::string limit_of(const Report::Row& row) {
  if (row.figure.limit == 0) return "";
  const std::string sign = row.against == Report::Against::peer ? "≥ " : "≤ ";
  return sign + with_unit(row.figure.limit, row.limit_on_ratio ? "×" : row.figure.unit);
}

void print_row(const Report::Row& row) {
  const std::string ok = row.figure.limit == 0 ? "" : row.holds ? "yes" : "**no**";
  std::printf("| %s | %s | %s | %s | %s | %s |\n", row.figure.measure.c_str(),
              row.against == Report::Against::nothing ? "" : with_unit(row.other, row.figure.unit).c_str(),
              with_unit(row.daemon, row.figure.unit).c_str(), row.ratio > 0 ? with_unit(row.ratio, "×").c_str() : "",
              limit_of(row).c_str(), ok.c_str());
}

void print_curve(const Curve& curve) {
  std::printf("\n%s, %s\n\n| %s |", curve.title.c_str(), curve.unit.c_str(), curve.along.c_str());
  for (const Series& series : curve.series) std::printf(" %s |", series.name.c_str());
  std::printf("\n|--:|");
  for (std::size_t at = 0; at < curve.series.size(); ++at) std::printf("--:|");
  for (std::size_t at = 0; at < curve.places.size(); ++at) {
    std::printf("\n| %.10g |", curve.places[at]);
    for (const Series& series : curve.series) std::printf(" %s |", number(series.values[at]).c_str());
  }
  std::puts("");
}

}  // namespace

void Report::compare(const Figure& figure, const std::vector<double>& floor, const std::vector<double>& daemon) {
  const double ratio = median(ratios_of(daemon, floor));
  rows_.push_back({group_, figure, Against::floor, true, false, median(floor), median(daemon), ratio,
                   figure.limit == 0 || ratio <= figure.limit});
}

void Report::state(const Figure& figure, double value, double floor) {
  rows_.push_back({group_, figure, floor > 0 ? Against::floor : Against::nothing, false, false, floor, value, 0,
                   figure.limit == 0 || value <= figure.limit});
}

void Report::add_peer(const Figure& figure, double peer, double daemon, double ratio, bool more_is_better) {
  rows_.push_back(
      {group_, figure, Against::peer, true, more_is_better, peer, daemon, ratio, figure.limit == 0 || ratio >= figure.limit});
}

void Report::compare_peer(const Figure& figure, const std::vector<double>& peer, const std::vector<double>& daemon) {
  add_peer(figure, median(peer), median(daemon), median(ratios_of(peer, daemon)), false);
}

void Report::compare_peer(const Figure& figure, double peer, double daemon) {
  add_peer(figure, peer, daemon, daemon > 0 ? peer / daemon : 0, false);
}

void Report::compare_peer_gain(const Figure& figure, double peer, double daemon) {
  add_peer(figure, peer, daemon, peer > 0 ? daemon / peer : 0, true);
}

void Report::draw(Curve curve) {
  curve.group = group_;
  curves_.push_back(std::move(curve));
}

bool Report::all_hold() const {
  return std::ranges::all_of(rows_, [](const Row& row) { return row.holds; });
}

void Report::print() const {
  const auto print_table = [&](const char* head, bool of_peer) {
    const auto belongs = [&](const Row& row) { return (row.against == Against::peer) == of_peer; };
    if (std::ranges::none_of(rows_, belongs)) return;
    std::printf("%s\n|---|--:|--:|--:|--:|---|\n", head);
    for (const Row& row : rows_)
      if (belongs(row)) print_row(row);
  };
  print_table("| measure | floor | daemon | ratio | limit | ok |", false);
  print_table("\n| measure | peer | daemon | daemon better by | limit | ok |", true);
  for (const Curve& curve : curves_) print_curve(curve);
}

}  // namespace bench
