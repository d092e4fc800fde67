#include "io/frame_store.h"

#include <doctest/doctest.h>

#include <set>
#include <vector>

namespace sa {

TEST_CASE("a frame given back is handed out again to one of similar size") {
  void* frame = FrameStore::take(300);
  FrameStore::give_back(frame, 300);
  CHECK(FrameStore::take(290) == frame);
  FrameStore::give_back(frame, 290);
  void* other = FrameStore::take(600);
  CHECK(other != frame);
  FrameStore::give_back(other, 600);
}

TEST_CASE("what is kept is bounded, and frames in use never overlap") {
  std::vector<void*> frames(5'000);
  for (void*& frame : frames) frame = FrameStore::take(1'000);
  CHECK(std::set<void*>(frames.begin(), frames.end()).size() == frames.size());
  for (void* frame : frames) FrameStore::give_back(frame, 1'000);
  CHECK(FrameStore::kept() <= 1u << 20);
  void* huge = FrameStore::take(1u << 20);
  FrameStore::give_back(huge, 1u << 20);
  CHECK(FrameStore::kept() <= 1u << 20);
}

}  // namespace sa
