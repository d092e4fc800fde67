// Holds JSON values against the table of ACP: members that are missing or of the wrong type, words it does not know. Pure
// functions.
#pragma once

#include <boost/json.hpp>
#include <functional>
#include <string>

#include "client/acp_methods.h"
#include "client/trace_check.h"

namespace sa {

using TellFinding = std::function<void(FindingLevel level, std::string path, std::string sentence)>;

// What a value at `path` must have. An object is wanted wherever a member is required.
void check_members(const boost::json::value& value, std::span<const AcpMember> members, const std::string& path,
                   const TellFinding& tell);

// A text of a peer, fit for a sentence: short, printable, in quotes.
std::string in_quotes(std::string_view text);

}  // namespace sa
