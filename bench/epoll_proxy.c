// A floor: how cheap it can be to put agents behind HTTP/1.1. One epoll loop. POST /v1/acp/NAME hands the body as a line to
// the agent of that name (started when first asked for) and answers with the line that carries the same id. It checks nothing,
// keeps no log and stops nobody, but it reads and writes as well as one can: one recv and one writev per request, lines to an
// agent gathered over a round of the loop, nothing blocks, partial writes wait for room.
// usage: epoll_proxy AGENT
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/uio.h>

#include "floor_http.h"

enum { events_at_once = 256, receive_at_once = 64 * 1024, most_agents = 256, pending_slots = 1024, longest_name = 64 };
enum { agent_slots = 4 * most_agents };

// Whatever epoll reports about; the first member of each kind.
struct watched {
  void (*on_ready)(struct watched*, uint32_t events);
  int fd;
  uint32_t otherwise;  // waited for always
  uint32_t events;     // waited for now
};

struct connection {
  struct watched watched;
  struct growing_buffer in;
  struct growing_buffer out;  // what the kernel did not take at once
};

struct pending {
  uint64_t id;
  struct connection* connection;  // NULL: a free slot
};

struct agent {
  struct watched output;
  struct watched input;
  char name[longest_name];
  struct growing_buffer lines;  // to the agent
  struct growing_buffer said;   // by the agent
  size_t searched;              // bytes of `said` without a newline
  int has_lines;                // is among `talked_to`
  struct pending pending[pending_slots];
};

static int loop;
static const char* agent_program;
static struct agent* agents[agent_slots];  // by the hash of their names
static int agent_count;
static struct agent* talked_to[most_agents];  // in this round of the loop
static int talked_to_count;

static void watch(struct watched* watched, int operation, uint32_t events) {
  struct epoll_event event = {.events = events, .data = {.ptr = watched}};
  watched->events = events;
  epoll_ctl(loop, operation, watched->fd, &event);
}

static uint64_t find_id(const char* line, size_t size) {
  const char* at = memmem(line, size, "\"id\":", 5);
  return at ? strtoull(at + 5, NULL, 10) : 0;
}

// Linear probing; slots never outnumber connections, so the table stays nearly empty and a slot is freed by moving its chain.
static void remember(struct agent* agent, uint64_t id, struct connection* connection) {
  size_t slot = id % pending_slots;
  while (agent->pending[slot].connection) slot = (slot + 1) % pending_slots;
  agent->pending[slot] = (struct pending){id, connection};
}

static struct connection* recall(struct agent* agent, uint64_t id) {
  size_t slot = id % pending_slots;
  while (agent->pending[slot].connection && agent->pending[slot].id != id) slot = (slot + 1) % pending_slots;
  struct connection* connection = agent->pending[slot].connection;
  agent->pending[slot].connection = NULL;
  for (slot = (slot + 1) % pending_slots; agent->pending[slot].connection; slot = (slot + 1) % pending_slots) {
    const struct pending moved = agent->pending[slot];
    agent->pending[slot].connection = NULL;
    remember(agent, moved.id, moved.connection);
  }
  return connection;
}

// Writes from `buffer` what the kernel takes; waits for room as long as something is left.
static void write_some(struct watched* watched, struct growing_buffer* buffer) {
  const ssize_t n = write(watched->fd, first_byte(buffer), held(buffer));
  if (n > 0) drop(buffer, (size_t)n);
  const uint32_t events = held(buffer) > 0 ? watched->otherwise | EPOLLOUT : watched->otherwise;
  if (events != watched->events) watch(watched, EPOLL_CTL_MOD, events);
}

static void send_answer(struct connection* connection, char* line, size_t size) {
  static const char start[] = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ";
  char head[128];
  memcpy(head, start, sizeof start - 1);
  const int digits = snprintf(head + sizeof start - 1, sizeof head - sizeof start, "%zu\r\n\r\n", size);
  const size_t head_size = sizeof start - 1 + (size_t)digits;
  struct iovec pieces[2] = {{head, head_size}, {line, size}};
  const ssize_t n = writev(connection->watched.fd, pieces, 2);
  const size_t taken = n < 0 ? 0 : (size_t)n;
  if (taken == head_size + size) return;
  if (taken < head_size) append(&connection->out, head + taken, head_size - taken);
  const size_t of_line = taken < head_size ? 0 : taken - head_size;
  append(&connection->out, line + of_line, size - of_line);
  write_some(&connection->watched, &connection->out);
}

static void on_agent_output(struct watched* watched, uint32_t events) {
  (void)events;
  struct agent* agent = (struct agent*)watched;
  const ssize_t n = read(watched->fd, room(&agent->said, receive_at_once), receive_at_once);
  if (n == 0) exit(1);
  if (n < 0) return;
  grew(&agent->said, (size_t)n);
  char* newline = NULL;
  while ((newline = memchr(first_byte(&agent->said) + agent->searched, '\n', held(&agent->said) - agent->searched))) {
    char* line = first_byte(&agent->said);
    const size_t size = (size_t)(newline - line);
    struct connection* connection = recall(agent, find_id(line, size));
    if (connection) send_answer(connection, line, size);
    drop(&agent->said, size + 1);
    agent->searched = 0;
  }
  agent->searched = held(&agent->said);
}

static void on_agent_input(struct watched* watched, uint32_t events) {
  struct agent* agent = (struct agent*)((char*)watched - offsetof(struct agent, input));
  if (events & EPOLLERR) exit(1);
  write_some(watched, &agent->lines);
}

static struct agent* start_agent(const char* name, size_t slot) {
  int to[2];
  int from[2];
  struct agent* agent = calloc(1, sizeof *agent);
  if (agent_count == most_agents || pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) exit(1);
  if (fork() == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    execl(agent_program, agent_program, (char*)NULL);
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  fcntl(to[1], F_SETFL, O_NONBLOCK);
  fcntl(from[0], F_SETFL, O_NONBLOCK);
  strcpy(agent->name, name);
  agent->input = (struct watched){.on_ready = on_agent_input, .fd = to[1]};
  agent->output = (struct watched){.on_ready = on_agent_output, .fd = from[0], .otherwise = EPOLLIN};
  watch(&agent->input, EPOLL_CTL_ADD, agent->input.otherwise);
  watch(&agent->output, EPOLL_CTL_ADD, agent->output.otherwise);
  ++agent_count;
  return agents[slot] = agent;
}

// The agent named in "POST /v1/acp/NAME?… HTTP/1.1".
static struct agent* find_agent(const char* head) {
  static const char start[] = "POST /v1/acp/";
  char name[longest_name] = "";
  if (memcmp(head, start, sizeof start - 1) != 0) exit(1);
  const size_t size = strcspn(head + sizeof start - 1, "? ");
  if (size >= longest_name) exit(1);
  memcpy(name, head + sizeof start - 1, size);
  size_t slot = 0;
  for (size_t i = 0; i < size; ++i) slot = slot * 31 + (unsigned char)name[i];
  for (slot %= agent_slots; agents[slot]; slot = (slot + 1) % agent_slots)
    if (strcmp(agents[slot]->name, name) == 0) return agents[slot];
  return start_agent(name, slot);
}

static void on_connection(struct watched* watched, uint32_t events) {
  struct connection* connection = (struct connection*)watched;
  if (events & EPOLLOUT) write_some(watched, &connection->out);
  if (!(events & EPOLLIN)) return;
  const ssize_t n = recv(watched->fd, room(&connection->in, receive_at_once), receive_at_once, 0);
  if (n < 0 && errno == EAGAIN) return;
  if (n <= 0) {  // the generator closes only connections that wait for nothing
    close(watched->fd);
    free(connection->in.bytes);
    free(connection->out.bytes);
    free(connection);
    return;
  }
  grew(&connection->in, (size_t)n);
  struct http_request request;
  while (held(&connection->in) > 0 && find_request(first_byte(&connection->in), held(&connection->in), &request) &&
         held(&connection->in) >= request.head_size + request.body_size) {
    struct agent* agent = find_agent(first_byte(&connection->in));
    const char* body = first_byte(&connection->in) + request.head_size;
    remember(agent, find_id(body, request.body_size), connection);
    append(&agent->lines, body, request.body_size);
    append(&agent->lines, "\n", 1);
    if (!agent->has_lines) talked_to[talked_to_count++] = agent;
    agent->has_lines = 1;
    drop(&connection->in, request.head_size + request.body_size);
  }
}

static void on_listener(struct watched* watched, uint32_t events) {
  (void)events;
  const int fd = accept_one(watched->fd);
  if (fd < 0) return;
  struct connection* connection = calloc(1, sizeof *connection);
  connection->watched = (struct watched){.on_ready = on_connection, .fd = fd, .otherwise = EPOLLIN};
  watch(&connection->watched, EPOLL_CTL_ADD, EPOLLIN);
}

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  agent_program = argv[1];
  struct watched listener = {.on_ready = on_listener, .fd = listen_and_say_port()};
  loop = epoll_create1(EPOLL_CLOEXEC);
  watch(&listener, EPOLL_CTL_ADD, EPOLLIN);
  for (;;) {
    struct epoll_event events[events_at_once];
    const int count = epoll_wait(loop, events, events_at_once, -1);
    for (int i = 0; i < count; ++i) {
      struct watched* watched = events[i].data.ptr;
      watched->on_ready(watched, events[i].events);
    }
    for (int i = 0; i < talked_to_count; ++i) {
      talked_to[i]->has_lines = 0;
      if (!(talked_to[i]->input.events & EPOLLOUT)) write_some(&talked_to[i]->input, &talked_to[i]->lines);
    }
    talked_to_count = 0;
  }
}
