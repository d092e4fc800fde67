// A floor: how cheap an HTTP/1.1 answer can be. One epoll loop; every request gets the same small document.
#include <sys/epoll.h>

#include "floor_http.h"

enum { events_at_once = 256, receive_at_once = 16 * 1024 };

static const char answer[] =
    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 49\r\n\r\n"
    "{\"status\":\"ok\",\"version\":\"0.1.0\",\"uptimeMs\":1000}";

struct connection {
  int fd;
  struct growing_buffer in;
};

static void close_connection(struct connection* connection) {
  close(connection->fd);
  free(connection->in.bytes);
  free(connection);
}

static void serve(struct connection* connection) {
  const ssize_t n = recv(connection->fd, room(&connection->in, receive_at_once), receive_at_once, 0);
  if (n <= 0) return close_connection(connection);
  grew(&connection->in, (size_t)n);
  struct http_request request;
  while (held(&connection->in) > 0 && find_request(first_byte(&connection->in), held(&connection->in), &request)) {
    drop(&connection->in, request.head_size);
    if (send(connection->fd, answer, sizeof answer - 1, MSG_NOSIGNAL) < 0) return close_connection(connection);
  }
}

int main(void) {
  const int listener = listen_and_say_port();
  const int loop = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event listening = {.events = EPOLLIN, .data = {.ptr = NULL}};
  epoll_ctl(loop, EPOLL_CTL_ADD, listener, &listening);
  for (;;) {
    struct epoll_event events[events_at_once];
    const int count = epoll_wait(loop, events, events_at_once, -1);
    for (int i = 0; i < count; ++i) {
      if (events[i].data.ptr) {
        serve(events[i].data.ptr);
        continue;
      }
      const int fd = accept_one(listener);
      if (fd < 0) continue;
      struct connection* connection = calloc(1, sizeof *connection);
      connection->fd = fd;
      struct epoll_event event = {.events = EPOLLIN, .data = {.ptr = connection}};
      epoll_ctl(loop, EPOLL_CTL_ADD, fd, &event);
    }
  }
}
