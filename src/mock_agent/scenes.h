// The demo's repertoire: which scene a prompt starts. A new scene is one coroutine and one row of the table in
// scenes.cc.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "mock_agent/play.h"

namespace sa::mock {

class Turn;

enum class OnCancel : std::uint8_t { stop, ignore };

struct Scene {
  std::string_view name;                       // the first word of the prompt, such as "/slow"
  Play (*play)(Turn& turn, std::string text);  // `text` is the whole prompt
  OnCancel on_cancel = OnCancel::stop;
};

std::span<const Scene> scenes();

// The scene named by the first word of `text`, else the friendly echo.
const Scene& scene_for(std::string_view text);

}  // namespace sa::mock
