// The first two bytes are a port; the rest is the kernel's table of sockets, and also what a stranger answers on that port.
// Held: the inode is the one a plain reading of the table finds; a version is short, stands in the answer, and has nothing a
// terminal would obey.
#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "daemon/port_holder.h"
#include "fuzz_input.h"

namespace sa::fuzz {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (is_space(line[at])) continue;
    if (at == 0 || is_space(line[at - 1])) fields.emplace_back();
    fields.back() += line[at];
  }
  return fields;
}

bool has_port(std::string_view address, unsigned port) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string ending = ":";
  for (const unsigned shift : {12u, 8u, 4u, 0u}) ending += digits[(port >> shift) & 15u];
  return address.ends_with(ending);
}

std::string inode_plainly(std::string_view table, unsigned port) {
  bool is_title = true;
  while (!table.empty()) {
    const std::string_view line = table.substr(0, table.find('\n'));
    table.remove_prefix(std::min(line.size() + 1, table.size()));
    if (std::exchange(is_title, false)) continue;
    const auto fields = fields_of(line);
    if (fields.size() > 3 && fields[3] == "0A" && has_port(fields[1], port)) return fields.size() > 9 ? fields[9] : "";
  }
  return "";
}

bool is_for_terminal(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<std::uint8_t>(text[i]);
    const auto next = static_cast<std::uint8_t>(i + 1 < text.size() ? text[i + 1] : 0);
    if (byte < 0x20 || byte == 0x7F || (byte == 0xC2 && next >= 0x80 && next < 0xA0)) return false;
  }
  return true;
}

void check_answer(std::string_view answer) {
  const std::string found(version_in_answer(answer));
  hold(found.size() <= 64 && is_for_terminal(found), "a version can be shown");
  if (!found.empty())
    hold(answer.contains(R"("name":"Sandbox Agent","version":")" + found + "\""), "a version is what the answer says");
}

void check(std::string_view input) {
  const unsigned port = static_cast<std::uint8_t>(input[0]) * 256u + static_cast<std::uint8_t>(input[1]);
  const std::string_view text = input.substr(2);
  std::istringstream table{std::string(text)};
  hold(listening_inode(table, static_cast<std::uint16_t>(port)) == inode_plainly(text, port), "who listens is found");
  check_answer(text);
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size >= 2) sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
