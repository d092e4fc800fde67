// Every scene by name, for the table in scenes.cc. Each is a coroutine that ends its turn by co_return; where it waits
// it may be cancelled, and then nothing but the destructors of its locals runs.
#pragma once

#include "mock_agent/play.h"
#include "mock_agent/prompt.h"

namespace sa::mock {

class Turn;

namespace scene {

// talk.cc: things an agent says
Play echo(Turn& turn, Prompt prompt);
Play markdown(Turn& turn, Prompt prompt);
Play image(Turn& turn, Prompt prompt);
Play think(Turn& turn, Prompt prompt);
Play commands(Turn& turn, Prompt prompt);
Play bonus(Turn& turn, Prompt prompt);

// work.cc: things an agent does by itself
Play plan(Turn& turn, Prompt prompt);
Play edit(Turn& turn, Prompt prompt);
Play tool(Turn& turn, Prompt prompt);

// questions.cc: things only the user can answer
Play permission(Turn& turn, Prompt prompt);
Play ask(Turn& turn, Prompt prompt);

// client_tools.cc: things an agent does through its client
Play fs(Turn& turn, Prompt prompt);
Play terminal(Turn& turn, Prompt prompt);

// trouble.cc: long, loud and broken turns
Play slow(Turn& turn, Prompt prompt);
Play flood(Turn& turn, Prompt prompt);
Play error(Turn& turn, Prompt prompt);
Play auth(Turn& turn, Prompt prompt);
Play hang(Turn& turn, Prompt prompt);
Play crash(Turn& turn, Prompt prompt);

}  // namespace scene
}  // namespace sa::mock
