// For tests: a terminal's screen that obeys what a LineView writes and nothing else. Breaks rows and keeps the cursor as
// terminals do; what it does not know is counted.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "cli/character_width.h"

namespace sa {

class TestScreen {
 public:
  TestScreen(std::size_t columns, std::size_t rows) : columns_(columns), rows_(rows), lines_(1) {}

  void write(std::string_view bytes) {
    while (!bytes.empty()) bytes.remove_prefix(take(bytes));
  }

  // What was ever on it, the rows that scrolled away too, without blanks at the ends.
  std::string text() const {
    std::string all;
    for (const Line& line : lines_) {
      std::string row;
      for (const std::string& cell : line) row += cell;
      all += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
    }
    return all.substr(0, all.find_last_not_of('\n') + 1);
  }
  std::size_t row() const { return row_; }  // of all
  std::size_t cell() const { return cell_; }
  std::size_t unknown() const { return unknown_; }  // bytes nobody should write
  std::size_t emptied() const { return emptied_; }  // so often all of it was cleared, which some terminals keep in a history

 private:
  using Line = std::vector<std::string>;  // a cell each; empty behind one that takes two

  std::size_t top() const { return lines_.size() - std::min(lines_.size(), rows_); }

  std::size_t take(std::string_view bytes) {
    if (bytes.front() == '\r') return move(row_, 0, 1);
    if (bytes.front() == '\n') return down();
    if (bytes.front() == '\x1b') return obey(bytes);
    const std::size_t length = utf8_sequence(bytes);
    const bool is_control = length == 0 || code_point(bytes) < 0x20 || (code_point(bytes) >= 0x7F && code_point(bytes) < 0xA0);
    if (is_control) ++unknown_;
    if (!is_control) put(bytes.substr(0, length));
    return std::max<std::size_t>(length, 1);
  }

  std::size_t move(std::size_t row, std::size_t cell, std::size_t taken) {
    row_ = row;
    cell_ = cell;
    return taken;
  }

  std::size_t down() {
    if (++row_ == lines_.size()) lines_.emplace_back();
    return 1;
  }

  std::size_t obey(std::string_view bytes) {
    const std::size_t digits = bytes.find_first_not_of("0123456789", 2);
    if (!bytes.starts_with("\x1b[") || digits == std::string_view::npos) return ++unknown_, 1;
    const std::size_t number = std::strtoul(std::string(bytes.substr(2, digits - 2)).c_str(), nullptr, 10);
    const char final = bytes[digits];
    const bool is_known = digits == 2 ? final == 'J' || final == 'K' : number > 0 && (final == 'A' || final == 'C');
    if (!is_known) ++unknown_;
    if (final == 'A') row_ = std::max(top(), row_ - std::min(row_, number));
    if (final == 'C') cell_ = std::min(cell_ + number, columns_ - 1);
    if (final == 'J' && row_ == top() && cell_ == 0) ++emptied_;
    if (final == 'J') lines_.resize(row_ + 1);
    if (final == 'J' || final == 'K') lines_[row_].resize(std::min(lines_[row_].size(), std::min(cell_, columns_ - 1)));
    return digits + 1;
  }

  void put(std::string_view character) {
    const std::size_t cells = cells_of(code_point(character));
    if (cells > 0 && cell_ + cells > columns_) {
      cell_ = 0;
      down();
    }
    Line& line = lines_[row_];
    if (line.size() < cell_ + cells) line.resize(cell_ + cells, " ");
    if (cells == 0 && cell_ > 0) line[cell_ - 1 - (line[cell_ - 1].empty() ? 1 : 0)] += character;
    if (cells > 0) line[cell_] = character;
    if (cells > 1) line[cell_ + 1].clear();
    cell_ += cells;
  }

  std::size_t columns_, rows_;
  std::vector<Line> lines_;
  std::size_t row_ = 0, cell_ = 0, unknown_ = 0, emptied_ = 0;
};

}  // namespace sa
