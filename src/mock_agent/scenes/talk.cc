#include <string>

#include "mock_agent/scenes.h"
#include "mock_agent/scenes/cast.h"
#include "mock_agent/turn.h"

namespace sa::mock::scene {
namespace {

// A page that shows every common element, and at its end what a client must not run.
constexpr std::string_view markdown_page = R"md(# Heading one

A paragraph with **bold**, *italic*, ~~struck~~ and `inline code`, and a [link](https://agentclientprotocol.com).

## A table

| Scene | Shows | Updates |
|:------|:-----:|--------:|
| /plan | a plan | 5 |
| /edit | a diff | 3 |

## Code

```python
def greet(name: str) -> str:
    return f"Hello, {name}!"
```

## Lists

1. first
2. second
   - nested
   - also nested

- [x] a task that is done
- [ ] a task that is not

> A quotation
> of two lines.

---

### Inert

These must do nothing: <script>alert("script")</script> <img src="x" onerror="alert('onerror')"> [a bad link](javascript:alert(1))
)md";

// A hill and a sun, 32 by 32.
constexpr std::string_view picture =
    "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgAgMAAAAOFJJnAAAADFBMVEWHzuv/1wAui1f////1CMeLAAAAS0lEQVR42mNgIAAYYYzQ"
    "EKhAaCguBmtoqAMhNXBzECaTDlatWtUAormAjBVQAYgQmLECxgAJQRgLYIwVMMYqOKMBxlgAY6yAMVYBAAjpOqxr2vu2AAAAAElF"
    "TkSuQmCC";

std::string scene_list() {
  std::string line = "I can show you:";
  for (const Scene& scene : scenes()) {
    if (scene.shown == Shown::always) line.append(" ").append(scene.name);
  }
  return line + "   (try: sandbox-agent run \"/edit\")";
}

}  // namespace

Play echo(Turn& turn, Prompt prompt) {
  turn.say("Hello. I am the demo agent. ");
  const std::string attachments = prompt.attachments.empty() ? "" : " and sent " + prompt.attachments + ".";
  turn.say("You said: \"" + prompt.text + "\"" + attachments + "\n");
  turn.say(scene_list());
  co_return StopReason::end_turn;
}

// Line by line, as a model would stream it.
Play markdown(Turn& turn, Prompt) {
  for (std::string_view rest = markdown_page; !rest.empty();) {
    const std::size_t length = rest.find('\n') + 1;
    turn.say(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  co_return StopReason::end_turn;
}

Play image(Turn& turn, Prompt) {
  turn.say("A hill and a sun:\n");
  turn.update({{"sessionUpdate", "agent_message_chunk"},
               {"content", {{"type", "image"}, {"mimeType", "image/png"}, {"data", picture}}}});
  co_return StopReason::end_turn;
}

Play think(Turn& turn, Prompt) {
  const std::string_view level = turn.session().settings.value("thought_level");
  if (level != "off") turn.think("The user asks for a thought. ");
  if (level == "long") {
    co_await turn.step();
    turn.think("One would do, but more were asked for. ");
    co_await turn.step();
    turn.think("Three are enough.");
  }
  co_await turn.step();
  turn.say(level == "off" ? "I answered without a thought: thought_level is off." : "I thought about it first.");
  co_return StopReason::end_turn;
}

Play commands(Turn& turn, Prompt) {
  Session& session = turn.session();
  session.has_bonus = !session.has_bonus;
  turn.update(commands_update(session));
  turn.say(session.has_bonus ? "There is one more command now: /bonus." : "The command /bonus is gone again.");
  co_return StopReason::end_turn;
}

Play bonus(Turn& turn, Prompt) {
  turn.say(turn.session().has_bonus ? "This is the command that /commands added." : "First say /commands.");
  co_return StopReason::end_turn;
}

}  // namespace sa::mock::scene
