// The least HTTP/1.1 a floor needs: a loopback listener, and where a request ends. Nothing here is strict; a floor answers
// only the load generator.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "growing_buffer.h"

// Listens on a free port of 127.0.0.1 and prints {"port":N}. The process ends with its parent.
static inline int listen_and_say_port(void) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGPIPE, SIG_IGN);
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
  socklen_t size = sizeof address;
  if (bind(listener, (struct sockaddr*)&address, size) != 0 || listen(listener, 1024) != 0 ||
      getsockname(listener, (struct sockaddr*)&address, &size) != 0) {
    perror("listen");
    exit(1);
  }
  printf("{\"port\":%d}\n", ntohs(address.sin_port));
  fflush(stdout);
  return listener;
}

static inline int accept_one(int listener) {
  const int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  const int on = 1;
  if (fd >= 0) setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

struct http_request {
  size_t head_size;  // with the blank line
  size_t body_size;
};

// Whether `bytes` starts with a whole head, and if so what it says.
static inline int find_request(const char* bytes, size_t size, struct http_request* request) {
  static const char length_name[] = "content-length:";
  const char* end = memmem(bytes, size, "\r\n\r\n", 4);
  if (!end) return 0;
  *request = (struct http_request){.head_size = (size_t)(end - bytes) + 4};
  for (const char* line = memchr(bytes, '\n', request->head_size); line && line < end;
       line = memchr(line, '\n', request->head_size - (size_t)(line - bytes))) {
    ++line;
    if (strncasecmp(line, length_name, sizeof length_name - 1) == 0)
      request->body_size = (size_t)strtoull(line + sizeof length_name - 1, NULL, 10);
  }
  return 1;
}
