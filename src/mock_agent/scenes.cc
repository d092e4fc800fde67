#include "mock_agent/scenes.h"

#include <algorithm>

#include "mock_agent/scenes/cast.h"
#include "mock_agent/scenes/words.h"
#include "mock_agent/sessions.h"

namespace sa::mock {
namespace {

constexpr Scene scene_table[] = {
    {"/plan", scene::plan, "a plan of three steps that get done"},
    {"/edit", scene::edit, "a tool call with a diff; no file is touched"},
    {"/permission", scene::permission, "asks before it runs a command"},
    {"/ask", scene::ask, "asks you a question"},
    {"/slow", scene::slow, "n chunks with a pause between two of them", "[n]"},
    {"/error", scene::error, "the prompt fails with a JSON-RPC error"},
    {"/auth", scene::auth, "fails until you logged in with authenticate"},
    {"/crash", scene::crash, "the process exits in the middle of the turn", "[exit code]"},
    {"/hang", scene::hang, "never answers and ignores cancel", "", OnCancel::ignore},
    {"/flood", scene::flood, "n chunks as fast as they are read", "[n]"},
    {"/markdown", scene::markdown, "headings, a table, code, lists and links"},
    {"/image", scene::image, "a small picture"},
    {"/commands", scene::commands, "changes the list of commands"},
    {"/think", scene::think, "thoughts before the answer"},
    {"/tool", scene::tool, "one tool call that works and one that fails"},
    {"/fs", scene::fs, "writes and reads a file through your client"},
    {"/terminal", scene::terminal, "runs a command in a terminal of your client"},
    {"/bonus", scene::bonus, "exists while /commands says so", "", OnCancel::stop, Shown::as_bonus},
};

constexpr Scene echo_scene{"", scene::echo, "repeats what you said"};

}  // namespace

std::span<const Scene> scenes() { return scene_table; }

const Scene& scene_for(std::string_view text) {
  const auto* scene = std::ranges::find(scene_table, take_word(text), &Scene::name);
  return scene == std::end(scene_table) ? echo_scene : *scene;
}

json::object commands_update(const Session& session) {
  json::array commands;
  for (const Scene& scene : scene_table) {
    if (scene.shown == Shown::as_bonus && !session.has_bonus) continue;
    json::object command = {{"name", scene.name.substr(1)}, {"description", scene.description}};
    if (!scene.hint.empty()) command["input"] = {{"hint", scene.hint}};
    commands.push_back(std::move(command));
  }
  return {{"sessionUpdate", "available_commands_update"}, {"availableCommands", std::move(commands)}};
}

}  // namespace sa::mock
