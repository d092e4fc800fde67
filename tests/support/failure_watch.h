// Knows whether the running test case has failed so far, so that a daemon's own words are shown only when someone needs
// them.
#pragma once

namespace rig {

bool test_has_failed();

}  // namespace rig
