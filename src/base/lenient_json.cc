#include "base/lenient_json.h"

#include "base/json_numbers.h"
#include "base/surrogates.h"

namespace sa {

std::expected<boost::json::value, boost::system::error_code> read_lenient_json(std::string_view bytes, std::size_t max_depth) {
  const boost::json::parse_options options{.max_depth = max_depth};
  boost::system::error_code error;
  boost::json::value value = boost::json::parse(bytes, error, {}, options);
  if (error) value = boost::json::parse(replace_lone_surrogates(bytes), error, {}, options);
  if (error) return std::unexpected(error);
  mend_numbers(value);
  return value;
}

}  // namespace sa
