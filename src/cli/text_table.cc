#include "cli/text_table.h"

#include <algorithm>

namespace sa {
namespace {

// Characters, not bytes.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

void print_table(Console& console, std::span<const std::string_view> head, std::span<const TableRow> rows) {
  TableRow titles;
  for (const std::string_view title : head) titles.push_back({std::string(title), Ink::dim});
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < titles.size(); ++column) {
    widths.push_back(width_of(titles[column].text));
    for (const TableRow& row : rows) widths.back() = std::max(widths.back(), width_of(row[column].text));
  }
  const auto print_row = [&](const TableRow& row) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      const Cell& cell = row[column];
      line += console.paint_result(cell.ink, cell.text);
      if (column + 1 < row.size()) line.append(widths[column] - width_of(cell.text) + 2, ' ');
    }
    console.line(line);
  };
  print_row(titles);
  for (const TableRow& row : rows) print_row(row);
}

}  // namespace sa
