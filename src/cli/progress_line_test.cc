#include "cli/progress_line.h"

#include <doctest/doctest.h>

using namespace sa;

TEST_CASE("progress of a known size is a bar with its share, bytes and seconds") {
  CHECK_EQ(progress_text("tin", "downloading", 12'400'000, 17'500'000, Millis(3'400)),
           "▸ installing tin  ███████████░░░░  70 %  12.4/17.5 MB  3 s");
  CHECK_EQ(progress_text("tin", "downloading", 0, 1'000'000, Millis(0)),
           "▸ installing tin  ░░░░░░░░░░░░░░░   0 %  0.0/1.0 MB  0 s");
}

TEST_CASE("progress beyond what was announced stays at 100 %") {
  CHECK_EQ(progress_text("tin", "downloading", 3'000'000, 1'000'000, Millis(0)),
           "▸ installing tin  ███████████████  100 %  3.0/1.0 MB  0 s");
}

TEST_CASE("progress without a size names the phase") {
  CHECK_EQ(progress_text("tin", "npm", std::nullopt, std::nullopt, Millis(12'000)), "▸ installing tin  npm  12 s");
  CHECK_EQ(progress_text("tin", "downloading", 2'500'000, std::nullopt, Millis(1'000)),
           "▸ installing tin  downloading  2.5 MB  1 s");
  CHECK_EQ(progress_text("tin", "downloading", 0, 0, Millis(0)), "▸ installing tin  downloading  0.0 MB  0 s");
}
