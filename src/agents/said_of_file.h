// What other rooms say of a request's body, said of a file: nobody sent it, and nobody can send another. A pure function.
#pragma once

#include <string>
#include <string_view>

namespace sa {

inline std::string said_of_file(std::string_view detail) {
  for (const std::string_view advice : {". Send ", ". Pack "}) detail = detail.substr(0, detail.find(advice));
  constexpr std::string_view body = "The body ";
  if (!detail.starts_with(body)) return std::string(detail);
  return "it " + std::string(detail.substr(body.size()));
}

}  // namespace sa
