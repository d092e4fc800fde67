// docs/reference/errors.md: every problem and exit code, from the tables of base and api.
#pragma once

namespace sa {

void print_errors_reference();

}  // namespace sa
