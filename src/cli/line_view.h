// How a line that is being typed is drawn on a terminal: behind a prompt, over as many rows as it takes, and no more of them
// than the screen has. Answers the bytes to write; knows where the cursor stands as long as nobody else writes. One thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sa {

struct ScreenSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
  bool operator==(const ScreenSize&) const = default;
};

class LineView {
 public:
  // `cells`: as wide as the prompt is shown.
  LineView(std::string prompt, std::size_t cells) : prompt_(std::move(prompt)), prompt_cells_(cells) {}

  // Anew over what was drawn before, or from the cursor's row on. `text` is a LineEditor's.
  std::string draw(std::string_view text, std::size_t cursor, ScreenSize size);
  // All of it, whatever the screen's rows, and the cursor on the row behind; the next drawing is a new one.
  std::string finish(std::string_view text, ScreenSize size);
  // As it is drawn, and the cursor on the row behind; the next drawing is a new one.
  std::string leave();
  // Off the screen, the cursor at the beginning of its first row; the next drawing is a new one.
  std::string remove(ScreenSize size);
  // Somebody else has written meanwhile: the next drawing is a new one.
  void forget();
  // On a screen that is emptied.
  std::string clear(std::string_view text, std::size_t cursor, ScreenSize size);

 private:
  struct Row {
    std::string shown;
    std::size_t cells = 0;
  };
  struct Rows {
    std::vector<Row> all;
    std::size_t cursor_row = 0;
    std::size_t cursor_cell = 0;
  };

  Rows rows_of(std::string_view text, std::size_t cursor, std::size_t columns) const;
  std::string from_top(std::size_t columns) const;
  std::size_t rows_above(std::size_t columns) const;

  std::string prompt_;
  std::size_t prompt_cells_;
  // As drawn:
  std::vector<std::size_t> cells_;  // of each row
  std::size_t row_ = 0;             // the cursor's, among them
  std::size_t cell_ = 0;
  std::size_t first_ = 0;  // of all rows the first that is drawn
};

}  // namespace sa
