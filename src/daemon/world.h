// Where the number of a process counts: from one boot of a machine to the next, in one namespace of processes. Machines and
// containers may share a folder: what is kept there of processes counts in one of them only, and is told apart by it. Any
// thread.
#pragma once

#include <string>

namespace sa {

// This boot and this namespace, as the kernel names them: "9f0c… pid:[4026531836]".
std::string this_world();

// Of two worlds.
bool is_same_boot(const std::string& one, const std::string& other);

// The machine's or container's name in its network, as it may stand in the name of a file.
std::string machine_name();

// What tells files of this world from those of others beside it: "-laptop", and with the namespace's number in a container.
std::string world_suffix();

}  // namespace sa
