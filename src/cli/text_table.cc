#include "cli/text_table.h"

#include <algorithm>

namespace sa {
namespace {

constexpr std::size_t gap = 2;  // between columns

// How many columns fit, but no fewer than `least`.
std::size_t that_fit(std::span<const std::size_t> widths, std::size_t columns, std::size_t least) {
  std::size_t count = widths.size(), wide = 0;
  for (const std::size_t width : widths) wide += width + gap;
  for (; columns > 0 && count > least && wide - gap > columns; --count) wide -= widths[count - 1] + gap;
  return count;
}

}  // namespace

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

void print_table(Console& console, std::span<const std::string_view> head, std::span<const TableRow> rows, std::size_t least) {
  TableRow titles;
  for (const std::string_view title : head) titles.push_back({std::string(title), Ink::dim});
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < titles.size(); ++column) {
    widths.push_back(width_of(titles[column].text));
    for (const TableRow& row : rows) widths.back() = std::max(widths.back(), width_of(row[column].text));
  }
  const std::size_t count = that_fit(widths, console.result_columns(), least);
  const auto print_row = [&](const TableRow& row) {
    std::string line;
    for (std::size_t column = 0; column < count; ++column) {
      const Cell& cell = row[column];
      line += console.paint_result(cell.ink, cell.text);
      if (column + 1 < count) line.append(widths[column] - width_of(cell.text) + gap, ' ');
    }
    console.line(line);
  };
  print_row(titles);
  for (const TableRow& row : rows) print_row(row);
}

}  // namespace sa
