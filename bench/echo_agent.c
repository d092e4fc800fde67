// The agent behind every measure: JSON lines in, JSON lines out, and as little work between as can be.
//   {"jsonrpc":"2.0","id":7,…}                                          answers with that id; the result is the request itself
//   {…"id":8,"method":"bench/notify","params":{"count":3,"bytes":200}}  says three messages of 200 bytes first
// A line without an id is read and forgotten. Answers are written when the input holds no further complete line.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "growing_buffer.h"

enum { read_at_once = 64 * 1024, write_at_once = 64 * 1024, look_for_method_in = 256 };

static struct growing_buffer in;
static struct growing_buffer out;

static void flush_out(void) {
  while (held(&out) > 0) {
    const ssize_t n = write(STDOUT_FILENO, first_byte(&out), held(&out));
    if (n <= 0) exit(0);
    drop(&out, (size_t)n);
  }
}

static void say(const char* bytes, size_t size) { append(&out, bytes, size); }
static void say_text(const char* text) { say(text, strlen(text)); }

static long number_after(const char* text, size_t size, const char* name) {
  const char* at = memmem(text, size, name, strlen(name));
  return at ? strtol(at + strlen(name), NULL, 10) : 0;
}

static void notify(long count, long bytes) {
  char* line = malloc((size_t)bytes + 256);
  for (long n = 1; n <= count; ++n) {
    const int start = sprintf(line, "{\"jsonrpc\":\"2.0\",\"method\":\"bench/event\",\"params\":{\"n\":%ld,\"text\":\"", n);
    const long padding = bytes - start - (long)strlen("\"}}");
    if (padding > 0) memset(line + start, 'x', (size_t)padding);
    const int end = sprintf(line + start + (padding > 0 ? padding : 0), "\"}}\n");
    say(line, (size_t)(start + (padding > 0 ? padding : 0) + end));
    if (held(&out) >= write_at_once) flush_out();
  }
  free(line);
}

static void answer(const char* line, size_t size) {
  static const char id_key[] = "\"id\":";
  const char* id = memmem(line, size, id_key, sizeof id_key - 1);
  if (!id) return;
  id += sizeof id_key - 1;
  const size_t id_size = strcspn(id, ",}");
  const size_t head = size < look_for_method_in ? size : look_for_method_in;
  if (memmem(line, head, "\"bench/notify\"", 14))
    notify(number_after(line, head, "\"count\":"), number_after(line, head, "\"bytes\":"));
  say_text("{\"jsonrpc\":\"2.0\",\"id\":");
  say(id, id_size);
  say_text(",\"result\":");
  say(line, size);
  say_text("}\n");
}

int main(void) {
  size_t searched = 0;  // bytes at the front of `in` that hold no newline
  for (;;) {
    const ssize_t n = read(STDIN_FILENO, room(&in, read_at_once), read_at_once);
    if (n <= 0) return 0;
    grew(&in, (size_t)n);
    const char* newline = NULL;
    while ((newline = memchr(first_byte(&in) + searched, '\n', held(&in) - searched))) {
      const size_t size = (size_t)(newline - first_byte(&in));
      answer(first_byte(&in), size);
      drop(&in, size + 1);
      searched = 0;
    }
    searched = held(&in);
    flush_out();
  }
}
