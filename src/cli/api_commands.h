// `sandbox-agent api …`: one command per endpoint that has one, made from the route table. They live as long as the process.
#pragma once

#include <vector>

#include "cli/api_inputs.h"
#include "cli/command.h"

namespace sa {

const std::vector<Command>& api_commands();

// What such a command calls, and what it takes; asking for another command's is a bug and aborts.
struct ApiCall {
  const Endpoint* endpoint = nullptr;
  std::vector<ApiInput> inputs;
};
const ApiCall& api_call_of(const Command& command);

// Runs any of them.
Outcome<Exit> call_endpoint(Invocation& given);

}  // namespace sa
