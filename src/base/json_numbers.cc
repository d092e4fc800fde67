#include "base/json_numbers.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <limits>

namespace sa {
namespace {

void for_each_double(boost::json::value& value, void (*mend)(double& number)) {
  if (double* number = value.if_double()) mend(*number);
  if (auto* array = value.if_array())
    for (boost::json::value& item : *array) for_each_double(item, mend);
  if (auto* object = value.if_object())
    for (auto& member : *object) for_each_double(member.value(), mend);
}

void mend_zero(double& number) {
  if (std::isnan(number)) number = 0;
}

void mend_number(double& number) {
  mend_zero(number);
  if (std::isinf(number)) number = std::copysign(std::numeric_limits<double>::max(), number);
}

}  // namespace

void mend_zeros(boost::json::value& value) { for_each_double(value, mend_zero); }
void mend_numbers(boost::json::value& value) { for_each_double(value, mend_number); }

std::string mark_numbers(std::string_view json, std::string_view mark) {
  static constexpr std::string_view begins_number = "-0123456789";
  static constexpr std::string_view in_number = "-+.0123456789eE";
  std::string marked;
  marked.reserve(json.size());
  bool in_string = false;
  for (std::size_t at = 0; at < json.size();) {
    std::size_t end = at + 1;
    if (in_string) {
      if (json[at] == '\\') ++end;  // what is escaped ends nothing
      in_string = json[at] != '"';
    } else if (begins_number.contains(json[at])) {
      end = std::min(json.find_first_not_of(in_number, at), json.size());
      marked.append("\"").append(mark).append(json.substr(at, end - at)).append("\"");
      at = end;
      continue;
    } else {
      in_string = json[at] == '"';
    }
    marked.append(json.substr(at, end - at));
    at = end;
  }
  return marked;
}

}  // namespace sa
