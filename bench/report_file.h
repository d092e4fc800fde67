// The report as one JSON document, with the machine it was made on: what docs/reference/performance.md is written from.
#pragma once

#include <string>

#include "measures.h"
#include "report.h"

namespace bench {

void write_report_file(const std::string& path, const Setup& setup, const Report& report);

}  // namespace bench
