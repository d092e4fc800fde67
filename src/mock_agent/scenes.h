// The demo's repertoire: which scene a prompt starts. A new scene is one coroutine in scenes/ and one row of the table
// in scenes.cc.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "mock_agent/play.h"
#include "mock_agent/prompt.h"

namespace sa::mock {

class Turn;
struct Session;

enum class OnCancel : std::uint8_t { stop, ignore };
enum class Shown : std::uint8_t { always, as_bonus };

struct Scene {
  std::string_view name;  // the first word of the prompt, such as "/slow"
  Play (*play)(Turn& turn, Prompt prompt);
  std::string_view description;
  std::string_view hint = {};  // what may follow the name; empty: nothing
  OnCancel on_cancel = OnCancel::stop;
  Shown shown = Shown::always;
};

std::span<const Scene> scenes();

// The scene named by the first word of `text`, else the friendly echo.
const Scene& scene_for(std::string_view text);

// The available_commands_update of a session: its scenes as slash commands.
json::object commands_update(const Session& session);

}  // namespace sa::mock
