#include "http/prefer.h"

#include <algorithm>

namespace sa {
bool prefers(const Request& request, std::string_view preference) {
  for (const Header& field : request.headers) {
    if (!equals_ignoring_case(field.name, "prefer")) continue;
    std::string_view rest = field.value;
    while (!rest.empty()) {
      const std::string_view one = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(rest.size(), one.size() + 1));
      if (equals_ignoring_case(trimmed(one.substr(0, one.find(';'))), preference)) return true;
    }
  }
  return false;
}

}  // namespace sa
