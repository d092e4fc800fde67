#include "agents/install_record.h"

#include "base/shape_read.h"

namespace sa {

Result<InstallRecord> read_install_record(std::string_view json) {
  TRY(const auto value, parse_json(json));
  TRY(InstallRecord record, from_json<InstallRecord>(value));
  TRY_VOID(check_record(record));
  return record;
}

Result<void> check_record(const InstallRecord& record) {
  const JsonPlace top;
  if (record.artifacts.empty()) return fail(misshapen(top.at("artifacts"), "name the installed program"));
  return {};
}

}  // namespace sa
