#include "base/result.h"

#include <cstring>

#include "base/utf8.h"

namespace sa {

Error Error::with_json(std::string name, std::string json) && {
  extras.push_back({std::move(name), std::move(json)});
  return std::move(*this);
}

Error Error::with_text(std::string name, std::string_view value) && {
  std::string json;
  append_json_string(json, value);
  return std::move(*this).with_json(std::move(name), std::move(json));
}

Error Error::with_number(std::string name, long long value) && {
  return std::move(*this).with_json(std::move(name), std::to_string(value));
}

std::string Error::extra(std::string_view name) const {
  for (const ErrorExtra& one : extras)
    if (one.name == name) return one.json;
  return {};
}

std::string errno_text(int error_number) {
  std::string text = strerrordesc_np(error_number) ? strerrordesc_np(error_number) : "unknown error";
  const char* name = strerrorname_np(error_number);
  return text + " (" + (name ? name : std::to_string(error_number)) + ")";
}

}  // namespace sa
