// Memory for coroutine frames: a request needs a dozen, and gets those an earlier one gave back. Frames of similar size share a
// list; all lists together keep a bounded amount. Not thread-safe: coroutines are made and end on the loop thread only.
#pragma once

#include <array>
#include <cstddef>
#include <new>

namespace sa {

class FrameStore {
 public:
  static void* take(std::size_t size) {
    const std::size_t list = list_of(size);
    if (list >= lists) return ::operator new(size);
    Free* frame = free_[list];
    if (!frame) return ::operator new(bytes_of(list));
    free_[list] = frame->next;
    kept_ -= bytes_of(list);
    return frame;
  }

  static void give_back(void* memory, std::size_t size) {
    const std::size_t list = list_of(size);
    if (list >= lists || kept_ + bytes_of(list) > most_kept) return ::operator delete(memory);
    free_[list] = new (memory) Free{free_[list]};
    kept_ += bytes_of(list);
  }

  static std::size_t kept() { return kept_; }  // bytes

 private:
  struct Free {
    Free* next;
  };
  static constexpr std::size_t step = 128;
  static constexpr std::size_t lists = 16;           // up to 2 KiB; larger frames are rare
  static constexpr std::size_t most_kept = 1 << 20;  // bytes
  static std::size_t list_of(std::size_t size) { return (size - 1) / step; }
  static std::size_t bytes_of(std::size_t list) { return (list + 1) * step; }

  static inline std::array<Free*, lists> free_{};
  static inline std::size_t kept_ = 0;
};

}  // namespace sa
