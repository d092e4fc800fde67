#include "base/json_scan.h"

#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <vector>

#include "base/utf8.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sa {
namespace {

constexpr std::uint8_t as_byte(char c) { return static_cast<std::uint8_t>(c); }

constexpr auto kKindByFirstByte = [] {
  std::array<JsonKind, 256> kinds{};  // invalid
  for (std::size_t digit = '0'; digit <= '9'; ++digit) kinds[digit] = JsonKind::number;
  kinds['-'] = JsonKind::number;
  kinds['{'] = JsonKind::object;
  kinds['['] = JsonKind::array;
  kinds['"'] = JsonKind::string;
  kinds['t'] = kinds['f'] = JsonKind::boolean;
  kinds['n'] = JsonKind::null;
  return kinds;
}();

// ASCII that a string may hold as it is: all but control characters, the quote and the backslash.
constexpr auto kPlain = [] {
  std::array<bool, 256> plain{};
  for (std::size_t c = 0x20; c < 0x80; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}();

// The first byte in [p, end) that is not plain, or end.
inline const char* skip_plain(const char* p, const char* end) {
#if defined(__SSE2__)
  const __m128i space = _mm_set1_epi8(0x20);
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  for (; end - p >= 16; p += 16) {
    const __m128i chunk = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i low_or_non_ascii = _mm_cmplt_epi8(chunk, space);  // signed: bytes from 0x80 on are negative
    const __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(chunk, quote), _mm_cmpeq_epi8(chunk, backslash));
    const int found = _mm_movemask_epi8(_mm_or_si128(low_or_non_ascii, ends));
    if (found != 0) return p + std::countr_zero(static_cast<unsigned>(found));
  }
#else
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  for (std::uint64_t word; end - p >= 8; p += 8) {
    std::memcpy(&word, p, sizeof word);
    // A byte's top bit survives when it is non-ASCII, or borrows because it is below 0x20, a quote or a backslash.
    const std::uint64_t ends = ((word ^ (kOnes * '"')) - kOnes) | ((word ^ (kOnes * '\\')) - kOnes);
    if ((word | (word - kOnes * 0x20) | ends) & (kOnes * 0x80)) break;
  }
#endif
  while (p != end && kPlain[as_byte(*p)]) ++p;
  return p;
}

// Whether the inside of a string token decodes to `name`, which is made of letters only: short escapes never match.
bool spells(std::string_view raw, std::string_view name) {
  for (const char wanted : name) {
    if (raw.empty()) return false;
    unsigned unit = as_byte(raw[0]);
    std::size_t length = 1;
    if (raw.starts_with("\\u")) {
      std::from_chars(raw.data() + 2, raw.data() + 6, unit, 16);
      length = 6;
    }
    if (unit != as_byte(wanted)) return false;
    raw.remove_prefix(length);
  }
  return raw.empty();
}

// Which containers are open: one bit per level, the innermost 64 or fewer in a word at hand.
class Nesting {
 public:
  std::size_t depth() const { return depth_; }
  bool in_object() const { return innermost_ & 1; }

  void push(bool object) {
    if (depth_ != 0 && depth_ % 64 == 0) store(depth_ / 64 - 1);
    innermost_ = innermost_ << 1 | static_cast<std::uint64_t>(object);
    ++depth_;
  }

  void pop() {
    innermost_ >>= 1;
    --depth_;
    if (depth_ != 0 && depth_ % 64 == 0) load(depth_ / 64 - 1);
  }

 private:
  static constexpr std::size_t kInlineWords = 4096 / 64 - 1;

  void store(std::size_t index) {
    if (index < kInlineWords) {
      inline_[index] = innermost_;
    } else {
      spilled_.push_back(innermost_);
    }
  }

  void load(std::size_t index) {
    if (index < kInlineWords) {
      innermost_ = inline_[index];
    } else {
      innermost_ = spilled_.back();
      spilled_.pop_back();
    }
  }

  std::size_t depth_ = 0;
  std::uint64_t innermost_ = 0;
  std::array<std::uint64_t, kInlineWords> inline_;  // a word is written before it is read
  std::vector<std::uint64_t> spilled_;
};

class Scanner {
 public:
  explicit Scanner(std::string_view bytes) : begin_(bytes.data()), p_(begin_), end_(begin_ + bytes.size()) {}

  JsonScan run() {
    skip_space();
    scan_.kind = kind_here();
    if (document()) return scan_;
    JsonScan failed;
    failed.error = error_;
    failed.error_at = static_cast<std::size_t>(p_ - begin_);
    return failed;
  }

 private:
  // Where the token of a member will be recorded once its value has ended, if anywhere.
  struct Member {
    std::string_view* target = nullptr;
    const char* start = nullptr;
  };

  bool fail(const char* reason) {
    error_ = p_ == end_ ? "unexpected end" : reason;
    return false;
  }

  bool at(char c) const { return p_ != end_ && *p_ == c; }
  JsonKind kind_here() const { return p_ == end_ ? JsonKind::invalid : kKindByFirstByte[as_byte(*p_)]; }
  char closer() const { return nesting_.in_object() ? '}' : ']'; }

  void skip_space() {
    for (; p_ != end_ && as_byte(*p_) <= ' '; ++p_) {
      if (*p_ == '\n' || *p_ == '\r') {
        scan_.has_newline = true;
      } else if (*p_ != ' ' && *p_ != '\t') {
        return;
      }
    }
  }

  // One step of the loop begins a value, the rest ends as many as end there.
  bool document() {
    for (;;) {
      const JsonKind kind = kind_here();
      if (kind == JsonKind::object || kind == JsonKind::array) {
        ++p_;
        nesting_.push(kind == JsonKind::object);
        skip_space();
        if (!at(closer())) {
          if (nesting_.in_object() && !key()) return false;
          continue;
        }
      } else {
        if (!scalar(kind)) return false;
        value_ended();
      }
      if (!close_containers()) return false;
      if (nesting_.depth() == 0) return p_ == end_ || fail("unexpected bytes after the value");
      if (nesting_.in_object() && !key()) return false;
    }
  }

  // After a value: closes the containers that end here, then passes the comma before the next value.
  bool close_containers() {
    for (skip_space(); nesting_.depth() != 0; skip_space()) {
      if (at(',')) {
        ++p_;
        skip_space();
        return true;
      }
      if (!at(closer())) return fail(nesting_.in_object() ? "expected ',' or '}'" : "expected ',' or ']'");
      ++p_;
      nesting_.pop();
      value_ended();
    }
    return true;
  }

  bool key() {
    if (!at('"')) return fail("expected a key");
    const char* start = p_;
    if (!string()) return false;
    const std::string_view name(start + 1, p_ - 1);
    skip_space();
    if (!at(':')) return fail("expected ':'");
    ++p_;
    skip_space();
    if (nesting_.depth() == 1) watch(name);
    return true;
  }

  // Decides where the value that starts here, named `name`, is to be recorded.
  void watch(std::string_view name) {
    const auto is = [&](std::string_view wanted) { return string_has_escapes_ ? spells(name, wanted) : name == wanted; };
    EnvelopeMembers& members = scan_.members;
    std::string_view* target = is("method")   ? &members.method
                               : is("id")     ? &members.id
                               : is("result") ? &members.result
                               : is("error")  ? &members.error
                                              : nullptr;
    watched_ = {target, p_};
  }

  void value_ended() {
    if (nesting_.depth() == 1 && watched_.target != nullptr) *watched_.target = std::string_view(watched_.start, p_);
  }

  bool scalar(JsonKind kind) {
    switch (kind) {
      case JsonKind::string: return string();
      case JsonKind::number: return number();
      case JsonKind::boolean: return literal(*p_ == 't' ? "true" : "false");
      case JsonKind::null: return literal("null");
      default: return fail("expected a value");
    }
  }

  bool string() {
    string_has_escapes_ = false;
    for (++p_;;) {
      p_ = skip_plain(p_, end_);
      if (at('"')) {
        ++p_;
        return true;
      }
      if (at('\\')) {
        if (!escape()) return false;
      } else if (p_ != end_ && as_byte(*p_) >= 0x80) {
        if (!non_ascii()) return false;
      } else {
        return fail("control character in string");
      }
    }
  }

  bool non_ascii() {
    while (p_ != end_ && as_byte(*p_) >= 0x80) {
      const std::size_t length = utf8_sequence(std::string_view(p_, end_));
      if (length == 0) return fail("invalid UTF-8");
      p_ += length;
    }
    return true;
  }

  bool escape() {
    constexpr std::string_view kEscapes = "\"\\/bfnrtu";
    string_has_escapes_ = true;
    ++p_;
    if (p_ == end_ || !kEscapes.contains(*p_)) return fail("bad escape");
    const int hex_digits = *p_ == 'u' ? 4 : 0;
    ++p_;
    for (int i = 0; i < hex_digits; ++i, ++p_) {
      const bool hex = p_ != end_ && ((*p_ >= '0' && *p_ <= '9') || ((*p_ | 0x20) >= 'a' && (*p_ | 0x20) <= 'f'));
      if (!hex) return fail("bad escape");
    }
    return true;
  }

  bool number() {
    if (*p_ == '-') ++p_;
    if (at('0')) {
      ++p_;
    } else if (!digits()) {
      return false;
    }
    if (at('.')) {
      ++p_;
      if (!digits()) return false;
    }
    if (at('e') || at('E')) {
      ++p_;
      if (at('+') || at('-')) ++p_;
      if (!digits()) return false;
    }
    return true;
  }

  bool digits() {
    const char* start = p_;
    while (p_ != end_ && *p_ >= '0' && *p_ <= '9') ++p_;
    return p_ != start || fail("expected a digit");
  }

  bool literal(std::string_view word) {
    for (const char c : word) {
      if (!at(c)) return fail("bad literal");
      ++p_;
    }
    return true;
  }

  const char* begin_;
  const char* p_;
  const char* end_;
  const char* error_ = nullptr;
  JsonScan scan_;
  Nesting nesting_;
  Member watched_;
  bool string_has_escapes_ = false;
};

}  // namespace

JsonScan scan_json(std::string_view bytes) { return Scanner(bytes).run(); }

}  // namespace sa
