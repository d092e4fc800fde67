// A second opinion on request heads: reads the raw bytes as RFC 9112 spells them, line by line, with nothing forgiven. Shares
// no code with the daemon.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sa::fuzz {

struct PlainField {
  std::string_view name, value;
};

struct PlainHead {
  std::string_view method, target, version;
  std::vector<PlainField> fields;

  std::vector<std::string_view> values(std::string_view name) const;
};

// nullopt unless every byte is where the grammar wants it.
std::optional<PlainHead> read_plainly(std::string_view head);

enum class PlainBody : std::uint8_t { refused, none, sized, chunked };
struct PlainFraming {
  PlainBody body = PlainBody::refused;
  std::uint64_t length = 0;
};
// Where the body ends by the rules against smuggling; refused when they forbid the message.
PlainFraming frame_plainly(const PlainHead& head);

struct PlainTarget {
  std::string_view path, query;
};
// nullopt unless it is a path, an absolute URL of the very host, or the asterisk of OPTIONS.
std::optional<PlainTarget> target_plainly(const PlainHead& head);

bool same_word(std::string_view a, std::string_view b);  // ignoring case

}  // namespace sa::fuzz
