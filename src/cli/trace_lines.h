// Messages of an instance as lines: for a trace file, and for people.
#pragma once

#include <fstream>
#include <string>

#include "client/event_feed.h"
#include "client/trace.h"

namespace sa {

// A trace file to read; not open when there is no such file.
std::ifstream open_trace(const std::string& path);

// Empty for what is no message and no gap.
std::string trace_line(const FeedItem& item);

// "  12 ← session/update agent_message_chunk  {…"
std::string message_line(const FeedItem& item);

}  // namespace sa
