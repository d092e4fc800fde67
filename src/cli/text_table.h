// Rows of text in columns as wide as their widest cell, printed as a result. Pure but for the printing.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"

namespace sa {

struct Cell {
  std::string text;
  Ink ink = Ink::plain;
};
using TableRow = std::vector<Cell>;

// Characters, not bytes.
std::size_t width_of(std::string_view text);

// A head and rows of as many cells each; the last column ends where its text does. On a terminal that is too narrow the last
// columns are left out, as many as it takes, down to `least`.
void print_table(Console& console, std::span<const std::string_view> head, std::span<const TableRow> rows,
                 std::size_t least = ~std::size_t(0));

}  // namespace sa
