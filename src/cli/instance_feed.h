// Reads the messages of an instance on a loop of its own, for commands that only look. Ctrl-C ends it.
#pragma once

#include <functional>

#include "api/acp_documents.h"
#include "client/event_feed.h"

namespace sa {

enum class ReadUntil : std::uint8_t { caught_up, ended };  // what is kept now; or until the instance is gone

// `take` gets both directions, in order, and says whether it wants more. Exit: interrupted after Ctrl-C.
Outcome<Exit> read_instance(const ServerAddress& server, const ServerDocument& instance, ReadUntil until,
                            const std::function<bool(const FeedItem& item)>& take);

}  // namespace sa
