#include "cli/line_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "cli/character_width.h"

namespace sa {
namespace {

constexpr std::size_t fewest_columns = 4;
constexpr std::size_t narrow = 20;  // too narrow for an indent
constexpr std::size_t tab_cells = 8;
// The row, then the rest of the screen. Not both at once: from the first cell of the screen on that would be all of it, which
// tmux then keeps in its history.
constexpr std::string_view clear_below = "\x1b[K\x1b[1C\x1b[J\r";
constexpr std::string_view clear_screen = "\x1b[H\x1b[2J";

std::string rows_up(std::size_t rows) { return rows == 0 ? "" : fmt::format("\x1b[{}A", rows); }
std::string cells_right(std::size_t cells) { return cells == 0 ? "" : fmt::format("\x1b[{}C", cells); }

}  // namespace

// Rows are broken here and not by the terminal, whose ways to do it differ.
LineView::Rows LineView::rows_of(std::string_view text, std::size_t cursor, std::size_t columns) const {
  const std::size_t indent = columns < narrow ? 0 : prompt_cells_;
  Rows rows{.all = {{prompt_, prompt_cells_}}};
  const auto next_row = [&] { rows.all.push_back({std::string(indent, ' '), indent}); };
  const auto cursor_is_here = [&] {
    rows.cursor_row = rows.all.size() - 1;
    rows.cursor_cell = rows.all.back().cells;
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view character = text.substr(at, utf8_sequence(text.substr(at)));
    const bool is_break = character == "\n", is_tab = character == "\t";
    const std::size_t cells = is_break ? 1 : is_tab ? 1 : cells_of(code_point(character));
    if (rows.all.back().cells + cells > columns && (!is_break || at == cursor)) next_row();
    if (at == cursor) cursor_is_here();
    Row& row = rows.all.back();
    if (is_break) {
      next_row();
    } else if (is_tab) {
      const std::size_t wide = std::min(tab_cells - row.cells % tab_cells, columns - row.cells);
      row.shown.append(wide, ' ');
      row.cells += wide;
    } else {
      row.shown += character;
      row.cells += cells;
    }
    at += character.size();
  }
  if (cursor == text.size()) {
    if (rows.all.back().cells >= columns) next_row();
    cursor_is_here();
  }
  return rows;
}

// Terminals break rows anew when they become narrower.
std::size_t LineView::rows_above(std::size_t columns) const {
  std::size_t rows = cell_ / columns;
  for (std::size_t row = 0; row < row_; ++row) rows += std::max<std::size_t>(1, (cells_[row] + columns - 1) / columns);
  return rows;
}

std::string LineView::from_top(std::size_t columns) const {
  return fmt::format("\r{}{}", rows_up(rows_above(columns)), clear_below);
}

std::string LineView::draw(std::string_view text, std::size_t cursor, ScreenSize size) {
  const std::size_t columns = std::max(size.columns, fewest_columns);
  const std::size_t most = std::max<std::size_t>(size.rows, 1);
  const Rows rows = rows_of(text, cursor, columns);
  std::string bytes = from_top(columns);
  first_ = std::min(first_, rows.cursor_row);
  if (rows.cursor_row >= first_ + most) first_ = rows.cursor_row + 1 - most;
  first_ = std::min(first_, rows.all.size() - std::min(rows.all.size(), most));
  const std::size_t end = std::min(rows.all.size(), first_ + most);
  cells_.clear();
  for (std::size_t row = first_; row < end; ++row) {
    bytes += fmt::format("{}{}", row == first_ ? "" : "\r\n", rows.all[row].shown);
    cells_.push_back(rows.all[row].cells);
  }
  row_ = rows.cursor_row - first_;
  cell_ = rows.cursor_cell;
  return fmt::format("{}\r{}{}", bytes, rows_up(cells_.size() - 1 - row_), cells_right(cell_));
}

std::string LineView::finish(std::string_view text, ScreenSize size) {
  const std::size_t columns = std::max(size.columns, fewest_columns);
  std::string bytes = from_top(columns);
  for (const Row& row : rows_of(text, std::string_view::npos, columns).all) bytes += row.shown + "\r\n";
  forget();
  return bytes;
}

std::string LineView::leave() {
  std::string bytes = "\r\n";
  for (std::size_t row = row_ + 1; row < cells_.size(); ++row) bytes += "\r\n";
  forget();
  return bytes;
}

std::string LineView::remove(ScreenSize size) {
  std::string bytes = from_top(std::max(size.columns, fewest_columns));
  forget();
  return bytes;
}

void LineView::forget() {
  cells_.clear();
  row_ = cell_ = first_ = 0;
}

std::string LineView::clear(std::string_view text, std::size_t cursor, ScreenSize size) {
  forget();
  return std::string(clear_screen) + draw(text, cursor, size);
}

}  // namespace sa
