// From a command line to the request it stands for. Reads the files it names, blocking; nothing is sent.
#pragma once

#include "base/stop_flag.h"
#include "cli/api_commands.h"
#include "cli/invocation.h"
#include "client/api_call.h"

namespace sa {

// Failure: usage for what is missing or cannot be sent, and what is wrong with a file. `stop` outlives the request.
Outcome<ApiRequest> api_request(const ApiCall& call, const Invocation& given, const StopFlag& stop);

// What the answer will be: events also where they were asked for.
ApiAnswerKind wanted_answer(const ApiCall& call, const Invocation& given);

// A wrong use of this command.
std::unexpected<Failure> wrong_use(const Invocation& given, std::string what);

}  // namespace sa
