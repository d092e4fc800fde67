// OpenSSL's own start-up, before anything else of it is used. Any thread, any number of times.
#pragma once

namespace sa {

// It must not read the configuration of the machine, which may name modules to load, nor clean up at the exit of the process
// while threads still use it.
void start_openssl();

}  // namespace sa
