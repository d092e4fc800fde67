// A floor: how cheap it can be to hand what an agent says to many readers. One epoll loop, one agent, one log in one piece of
// memory. Whoever sends GET becomes a reader and is sent the whole log, and then what comes: each time as much as the kernel
// takes, with the send buffers that the daemon gives its streams. A POST is a line for the agent; it is answered when the next
// line with an id comes. It checks nothing and waits for nobody, and what all readers have it forgets, unless told to keep it.
// usage: epoll_fan_out AGENT [keep]
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>

#include "floor_http.h"

enum { events_at_once = 256, receive_at_once = 64 * 1024, send_at_once = 256 * 1024, most_readers = 4096 };
enum { reader_send_buffer = 64 * 1024 };

struct connection {
  int fd;
  int is_reader;
  int blocked;   // until the kernel reports room
  size_t place;  // among the readers
  size_t at;     // in the log
  struct growing_buffer in;
};

static int loop;
static int agent_in;
static int agent_out;
static struct growing_buffer said;  // by the agent, not yet a line
static size_t searched;             // bytes of it without a newline
static struct growing_buffer entries;
static unsigned long newest;
static int keeps;
static struct connection* asker;
static struct connection* readers[most_readers];
static size_t reader_count;

static void send_all(int fd, const char* bytes, size_t size) {
  while (size > 0) {
    const ssize_t n = send(fd, bytes, size, MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN) exit(1);
    if (n > 0) bytes += n, size -= (size_t)n;
  }
}

static void forget(struct connection* connection) {
  if (connection->is_reader) {
    readers[connection->place] = readers[--reader_count];
    readers[connection->place]->place = connection->place;
  }
  close(connection->fd);
  free(connection->in.bytes);
  free(connection);
}

static void send_news(struct connection* reader) {
  while (!reader->blocked && reader->at < held(&entries)) {
    const size_t left = held(&entries) - reader->at;
    const ssize_t n =
        send(reader->fd, first_byte(&entries) + reader->at, left < send_at_once ? left : send_at_once, MSG_NOSIGNAL);
    if (n > 0) reader->at += (size_t)n;
    if (n < 0) reader->blocked = 1;
  }
}

static void forget_what_all_have(void) {
  if (keeps || reader_count == 0) return;
  for (size_t i = 0; i < reader_count; ++i)
    if (readers[i]->at < held(&entries)) return;
  for (size_t i = 0; i < reader_count; ++i) readers[i]->at = 0;
  drop(&entries, held(&entries));
}

static void take_line(const char* line, size_t size) {
  static const char id_key[] = "{\"jsonrpc\":\"2.0\",\"id\":";
  char framing[64];
  append(&entries, framing, (size_t)sprintf(framing, "event: message\nid: %lu\ndata: ", ++newest));
  append(&entries, line, size);
  append(&entries, "\n\n", 2);
  if (!asker || size < sizeof id_key || memcmp(line, id_key, sizeof id_key - 1) != 0) return;
  char head[128];
  send_all(asker->fd, head, (size_t)sprintf(head, "HTTP/1.1 200 OK\r\ncontent-length: %zu\r\n\r\n", size));
  send_all(asker->fd, line, size);
  asker = NULL;
}

static void on_agent(void) {
  forget_what_all_have();
  for (;;) {
    const ssize_t n = read(agent_out, room(&said, receive_at_once), receive_at_once);
    if (n == 0) exit(1);
    if (n < 0) break;
    grew(&said, (size_t)n);
    const char* newline = NULL;
    while ((newline = memchr(first_byte(&said) + searched, '\n', held(&said) - searched))) {
      const size_t size = (size_t)(newline - first_byte(&said));
      take_line(first_byte(&said), size);
      drop(&said, size + 1);
      searched = 0;
    }
    searched = held(&said);
    if (n < receive_at_once) break;
  }
  for (size_t i = 0; i < reader_count; ++i) send_news(readers[i]);
}

static void become_reader(struct connection* connection) {
  static const char head[] = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
  const int bytes = reader_send_buffer;
  if (reader_count == most_readers) exit(1);
  setsockopt(connection->fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
  send_all(connection->fd, head, sizeof head - 1);
  connection->is_reader = 1;
  connection->place = reader_count;
  readers[reader_count++] = connection;
  send_news(connection);
}

static void on_connection(struct connection* connection, uint32_t events) {
  if (connection->is_reader && (events & EPOLLOUT)) {
    connection->blocked = 0;
    send_news(connection);
  }
  if (!(events & (EPOLLIN | EPOLLHUP | EPOLLERR))) return;
  const ssize_t n = recv(connection->fd, room(&connection->in, receive_at_once), receive_at_once, 0);
  if (n < 0 && errno == EAGAIN) return;
  if (n <= 0) return forget(connection);
  grew(&connection->in, (size_t)n);
  struct http_request request;
  if (!find_request(first_byte(&connection->in), held(&connection->in), &request) ||
      held(&connection->in) < request.head_size + request.body_size)
    return;
  if (memcmp(first_byte(&connection->in), "GET", 3) == 0) {
    become_reader(connection);
  } else {
    char* body = first_byte(&connection->in) + request.head_size;
    body[request.body_size] = '\n';
    asker = connection;
    if (write(agent_in, body, request.body_size + 1) != (ssize_t)request.body_size + 1) exit(1);
  }
  drop(&connection->in, request.head_size + request.body_size);
}

static void watch(int fd, uint32_t events, void* whose) {
  struct epoll_event event = {.events = events, .data = {.ptr = whose}};
  epoll_ctl(loop, EPOLL_CTL_ADD, fd, &event);
}

static void start_agent(const char* program) {
  int to[2];
  int from[2];
  if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) exit(1);
  if (fork() == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    execl(program, program, (char*)NULL);
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  agent_in = to[1];
  agent_out = from[0];
  fcntl(agent_out, F_SETFL, O_NONBLOCK);
}

int main(int argc, char** argv) {
  if (argc < 2) return 1;
  keeps = argc > 2;
  start_agent(argv[1]);
  const int listener = listen_and_say_port();
  loop = epoll_create1(EPOLL_CLOEXEC);
  watch(listener, EPOLLIN, (void*)&listener);
  watch(agent_out, EPOLLIN, &agent_out);
  for (;;) {
    struct epoll_event events[events_at_once];
    const int count = epoll_wait(loop, events, events_at_once, -1);
    for (int i = 0; i < count; ++i) {
      void* whose = events[i].data.ptr;
      if (whose == &agent_out) {
        on_agent();
      } else if (whose != &listener) {
        on_connection(whose, events[i].events);
      } else {
        struct connection* connection = calloc(1, sizeof *connection);
        connection->fd = accept_one(listener);
        if (connection->fd < 0) {
          free(connection);
        } else {
          watch(connection->fd, EPOLLIN | EPOLLOUT | EPOLLET, connection);
        }
      }
    }
  }
}
