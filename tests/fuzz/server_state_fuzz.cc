// The input is a state file of a server; @PID, @TICKS, @WORLD and @MACHINE in it stand for this very process. Held: a server is
// found exactly when the file says a process that lives; a file that says one that does not, here or before this machine was
// started anew, is removed, and any other stays; a token file's first line is the token; a state written anew is the same.
// Inputs: at most 256 bytes.
#include <unistd.h>

#include <algorithm>
#include <string>

#include "base/shape_read.h"
#include "daemon/server_state.h"
#include "documents.h"
#include "fuzz_input.h"
#include "scratch.h"

namespace sa::fuzz {
namespace {

constexpr std::string_view file_name = "server-1.json";

const ServerState& self() {
  static const ServerState own = own_state(Settings(), Token{"t", "", true}, "http://127.0.0.1:1");
  return own;
}

void replace_all(std::string& text, std::string_view mark, const std::string& value) {
  for (std::size_t at = 0; (at = text.find(mark, at)) != text.npos; at += value.size()) text.replace(at, mark.size(), value);
}

Result<ServerState> read_state(std::string_view text) {
  TRY(const auto value, parse_json(text));
  return from_json<ServerState>(value);
}

void check_token(const Scratch& folder, std::string_view content) {
  folder.write("token", content);
  std::string line(content.substr(0, content.find('\n')));
  constexpr std::string_view blanks = " \t\r";
  while (!line.empty() && blanks.contains(line.back())) line.pop_back();
  while (!line.empty() && blanks.contains(line.front())) line.erase(0, 1);
  const auto token = read_token_file(folder.at("token"));
  hold(token.has_value() == !line.empty(), "a token file has a token in its first line");
  if (token) hold(*token == line, "and that is it");
}

void check_state(const Scratch& folder, const std::string& text) {
  folder.write(file_name, text);
  const auto state = read_state(text);
  const bool is_self = state && state->pid == self().pid && state->start_ticks == self().start_ticks && !state->url.empty() &&
                       (state->world.empty() || state->world == self().world);
  const auto servers = known_servers(folder.path());
  if (!state) {
    hold_refusal(state.error());
    hold(servers.empty() && folder.has(file_name), "what cannot be read is left alone");
    return;
  }
  hold_stable(*state, read_state);
  hold(servers.empty() || is_running(*state), "what is found lives");
  if (is_self) {
    hold(servers.size() == 1 && to_json(servers[0]) == to_json(*state) && folder.has(file_name), "what lives is found");
    const auto chosen = local_server(folder.path());
    hold(chosen && chosen->pid == state->pid, "it is the one to talk to");
    hold(background_server(folder.path()).has_value() == state->background, "in the background or not");
    const auto address = address_of(*state);
    hold(!address || address->url == state->url, "it is reached where it says");
    hold(!address || state->no_token || !state->token || address->token == *state->token, "with the token it keeps");
    return;
  }
  const auto boot_of = [](std::string_view world) { return world.substr(0, world.find(' ')); };
  const bool is_here = state->world.empty() || state->world == self().world;
  const bool is_past = state->machine == self().machine && boot_of(state->world) != boot_of(self().world);
  if (!is_running(*state))
    hold(servers.empty() && folder.has(file_name) == !(is_here || is_past), "what is no more is removed, if we can know");
}

void check(std::string_view input) {
  static const Scratch folder;
  std::string text(input);
  replace_all(text, "@PID", std::to_string(self().pid));
  replace_all(text, "@TICKS", std::to_string(self().start_ticks));
  replace_all(text, "@WORLD", self().world);
  replace_all(text, "@MACHINE", self().machine);
  check_state(folder, text);
  check_token(folder, input);
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
