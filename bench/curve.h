// How a cost grows with something. A plain value: what the report prints and draws.
#pragma once

#include <string>
#include <vector>

namespace bench {

struct Series {
  std::string name;
  std::vector<double> values;  // one for each place
};

enum class Scale { linear, logarithmic, steps };  // steps: places side by side, whatever their distance

struct Curve {
  std::string name;  // also of its picture's file
  std::string title;
  std::string along;  // what grows, with its unit
  std::string unit;   // of the values
  Scale x_scale = Scale::logarithmic;
  Scale y_scale = Scale::logarithmic;
  std::vector<double> places = {};
  std::vector<Series> series = {};
  std::string group = {};  // the measure it belongs to; the report fills it in
};

}  // namespace bench
