#include "envelope.h"

#include <algorithm>
#include <charconv>

namespace fake {
namespace {

// Moves over one JSON text. Iterative, so nesting costs nothing.
class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text) {}

  bool done() const { return at_ >= text_.size(); }
  char peek() const { return done() ? '\0' : text_[at_]; }
  void step() { ++at_; }
  void skip_space() {
    while (!done() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')) step();
  }
  std::string_view value() {
    skip_space();
    const std::size_t start = at_;
    if (peek() == '"') {
      skip_string();
    } else if (peek() == '{' || peek() == '[') {
      skip_nested();
    } else {
      while (!done() && std::string_view(",}] \t\r\n").find(peek()) == std::string_view::npos) step();
    }
    return text_.substr(start, at_ - start);
  }

 private:
  void skip_string() {
    step();
    while (!done() && peek() != '"') {
      if (peek() == '\\') step();
      step();
    }
    step();
    at_ = std::min(at_, text_.size());
  }
  void skip_nested() {
    std::size_t depth = 0;
    do {
      const char c = peek();
      if (c == '"') {
        skip_string();
        continue;
      }
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      step();
    } while (depth > 0 && !done());
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

template <typename Visit>
void each_member(std::string_view object, Visit visit) {
  Walker walker(object);
  walker.skip_space();
  if (walker.peek() != '{') return;
  walker.step();
  while (!walker.done()) {
    walker.skip_space();
    if (walker.peek() != '"') return;
    const auto key = walker.value();
    walker.skip_space();
    if (walker.peek() != ':') return;
    walker.step();
    const auto value = walker.value();
    visit(key, value);
    walker.skip_space();
    if (walker.peek() != ',') return;
    walker.step();
  }
}

bool names(std::string_view json_key, std::string_view plain) {
  const auto inner = json_key.substr(1, json_key.size() - 2);
  if (inner.find('\\') == std::string_view::npos) return inner == plain;
  return unquoted(json_key) == plain;
}

void append_utf8(std::string& out, unsigned code) {
  const auto put = [&](unsigned byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | code >> 6U);
    put(0x80 | (code & 0x3fU));
  } else {
    put(0xe0 | code >> 12U);
    put(0x80 | (code >> 6U & 0x3fU));
    put(0x80 | (code & 0x3fU));
  }
}

}  // namespace

Envelope look_at(std::string_view line) {
  Envelope seen{.line = line, .id = {}, .method = {}, .params = {}};
  each_member(line, [&](std::string_view key, std::string_view value) {
    if (names(key, "id")) seen.id = value;
    if (names(key, "params")) seen.params = value;
    if (names(key, "method") && value.size() >= 2) seen.method = value.substr(1, value.size() - 2);
  });
  return seen;
}

std::string_view member(std::string_view object, std::string_view key) {
  std::string_view found;
  each_member(object, [&](std::string_view name, std::string_view value) {
    if (names(name, key)) found = value;
  });
  return found;
}

std::int64_t number_member(std::string_view object, std::string_view key, std::int64_t otherwise) {
  const auto raw = member(object, key);
  std::int64_t number = otherwise;
  std::from_chars(raw.data(), raw.data() + raw.size(), number);
  return number;
}

bool flag_member(std::string_view object, std::string_view key) { return member(object, key) == "true"; }

std::string text_member(std::string_view object, std::string_view key) { return unquoted(member(object, key)); }

std::string quoted(std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out = "\"";
  out.reserve(text.size() + 16);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      out += "\\u00";
      out += digits[byte >> 4U];
      out += digits[byte & 15U];
    } else {
      out += c;
    }
  }
  return out += '"';
}

std::string unquoted(std::string_view json_string) {
  std::string out;
  if (json_string.size() < 2) return out;
  const auto inner = json_string.substr(1, json_string.size() - 2);
  for (std::size_t i = 0; i < inner.size(); ++i) {
    if (inner[i] != '\\' || i + 1 >= inner.size()) {
      out += inner[i];
      continue;
    }
    static constexpr std::string_view letters = "bfnrt";
    static constexpr std::string_view meanings = "\b\f\n\r\t";
    const char c = inner[++i];
    if (c == 'u' && i + 4 < inner.size()) {
      unsigned code = 0;
      std::from_chars(inner.data() + i + 1, inner.data() + i + 5, code, 16);
      append_utf8(out, code);
      i += 4;
    } else if (const auto which = letters.find(c); which != std::string_view::npos) {
      out += meanings[which];
    } else {
      out += c;
    }
  }
  return out;
}

std::string from_hex(std::string_view hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    unsigned byte = 0;
    std::from_chars(hex.data() + i, hex.data() + i + 2, byte, 16);
    out += static_cast<char>(byte);
  }
  return out;
}

}  // namespace fake
