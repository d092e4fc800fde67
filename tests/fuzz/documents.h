// What every document of ours holds: written anew it is the same, and what is refused is refused in words.
#pragma once

#include <string>
#include <string_view>

#include "base/json_scan.h"
#include "base/result.h"
#include "base/shape.h"
#include "base/utf8.h"
#include "fuzz_input.h"

namespace sa::fuzz {

inline void hold_refusal(const Error& error) {
  hold(!error.detail.empty() && is_utf8(error.detail), "a refusal is a sentence");
  for (const ErrorExtra& extra : error.extras) hold(scan_json(extra.json).kind != JsonKind::invalid, "what it carries is JSON");
}

// `read` makes a Result<T> of a text.
template <class T>
void hold_stable(const T& document, auto read) {
  const std::string text = to_json(document);
  hold(scan_json(text).kind != JsonKind::invalid, "a document is written as JSON");
  const auto again = read(std::string_view(text));
  hold(again.has_value(), "what is written is read");
  hold(to_json(*again) == text, "what is read again is the same");
}

}  // namespace sa::fuzz
