// Bytes that come in at the back and leave at the front. The memory is kept for the next ones.
#pragma once

#include <stdlib.h>
#include <string.h>

struct growing_buffer {
  char* bytes;
  size_t begin;
  size_t end;
  size_t capacity;
};

static inline size_t held(const struct growing_buffer* buffer) { return buffer->end - buffer->begin; }
static inline char* first_byte(const struct growing_buffer* buffer) { return buffer->bytes + buffer->begin; }

// Where at least `size` more bytes may be put; grew() then says how many were. What is held may move, and stays followed by
// a byte that may be read.
static inline char* room(struct growing_buffer* buffer, size_t size) {
  if (buffer->begin > 0 && buffer->end + size + 1 > buffer->capacity) {
    memmove(buffer->bytes, first_byte(buffer), held(buffer));
    buffer->end -= buffer->begin;
    buffer->begin = 0;
  }
  if (buffer->end + size + 1 > buffer->capacity) {
    buffer->capacity = 2 * (buffer->end + size + 1);
    buffer->bytes = realloc(buffer->bytes, buffer->capacity);
    if (!buffer->bytes) abort();
  }
  return buffer->bytes + buffer->end;
}

static inline void grew(struct growing_buffer* buffer, size_t size) { buffer->end += size; }

static inline void append(struct growing_buffer* buffer, const char* bytes, size_t size) {
  memcpy(room(buffer, size), bytes, size);
  grew(buffer, size);
}

static inline void drop(struct growing_buffer* buffer, size_t size) {
  buffer->begin += size;
  if (buffer->begin == buffer->end) buffer->begin = buffer->end = 0;
}
