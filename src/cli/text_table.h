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

// A head and rows of as many cells each; the last column ends where its text does.
void print_table(Console& console, std::span<const std::string_view> head, std::span<const TableRow> rows);

}  // namespace sa
