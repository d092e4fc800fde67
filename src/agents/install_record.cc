#include "agents/install_record.h"

#include "base/shape_read.h"

namespace sa {

Result<InstallRecord> read_install_record(std::string_view json) {
  TRY(const auto value, parse_json(json));
  return from_json<InstallRecord>(value);
}

}  // namespace sa
