#include "base/json_numbers.h"

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

}  // namespace sa
