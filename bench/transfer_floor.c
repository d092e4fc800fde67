// A floor: the least that moves files over HTTP/1.1. One connection at a time, blocking; GET is sendfile, PUT is recv and
// write to a file beside the target that then takes its place. The path is what follows "path=" in the target, as it is.
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

#include "floor_http.h"

enum { receive_at_once = 256 * 1024, longest_path = 4096 };

static char buffer[receive_at_once + 1];

static int say(int fd, const char* text) { return send(fd, text, strlen(text), MSG_NOSIGNAL) < 0 ? -1 : 0; }

static int get_file(int fd, const char* path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat info;
  if (file < 0 || fstat(file, &info) != 0) return say(fd, "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
  char head[128];
  snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\ncontent-length: %lld\r\n\r\n",
           (long long)info.st_size);
  int failed = say(fd, head);
  off_t at = 0;
  while (!failed && at < info.st_size) failed = sendfile(fd, file, &at, (size_t)(info.st_size - at)) <= 0;
  close(file);
  return failed;
}

// `held` bytes of the body are in the buffer, from `at` on.
static int put_file(int fd, const char* path, size_t at, size_t held, size_t size) {
  char part[longest_path + 8];
  snprintf(part, sizeof part, "%s.part", path);
  const int file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  size_t written = 0;
  while (file >= 0 && write(file, buffer + at, held) == (ssize_t)held) {
    written += held;
    if (written == size) break;
    const size_t missing = size - written;
    const ssize_t n = recv(fd, buffer, missing < receive_at_once ? missing : receive_at_once, 0);
    if (n <= 0) break;
    at = 0;
    held = (size_t)n;
  }
  close(file);
  if (written != size || rename(part, path) != 0) return -1;
  return say(fd, "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}");
}

// One request; not 0: the connection is of no more use.
static int serve(int fd) {
  size_t held = 0;
  struct http_request request;
  do {
    const ssize_t n = recv(fd, buffer + held, receive_at_once - held, 0);
    if (n <= 0) return -1;
    held += (size_t)n;
  } while (!find_request(buffer, held, &request));
  buffer[held] = 0;
  char path[longest_path];
  const char* words = strstr(buffer, "path=");
  if (!words || sscanf(words, "path=%4095[^ ]", path) != 1) return -1;
  if (buffer[0] == 'G') return get_file(fd, path);
  return put_file(fd, path, request.head_size, held - request.head_size, request.body_size);
}

int main(void) {
  const int listener = listen_and_say_port();
  fcntl(listener, F_SETFL, 0);
  for (;;) {
    const int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    while (serve(fd) == 0) continue;
    close(fd);
  }
}
