// /v1/acp: the agents' messages over HTTP.
#include <fmt/format.h>

#include <algorithm>

#include "api/acp_documents.h"
#include "api/event_source.h"
#include "api/handlers.h"
#include "base/utf8.h"
#include "http/application.h"
#include "http/prefer.h"
#include "io/platform.h"

namespace sa {
namespace {

constexpr std::size_t longest_server_id = 256;

Result<std::string> server_id(const Request& request) {
  const std::string& id = request.path_parameters.at(0);
  if (id.empty() || id.size() > longest_server_id || !is_printable_utf8(id))
    return fail(Error{ErrorCode::invalid_request, "A server id is 1 to 256 bytes of printable UTF-8.", {}}.with_text(
        "field", "server_id"));
  return id;
}

ClientGone hang_up_of(const Request& request) {
  return [client = request.client](Signal& wake) { return client->gone(wake); };
}

// The answer to what failed, with the instance it is about, if there is one.
Response failure_of(const std::string& instance_id, const Request& request, const Error& error) {
  Response response = answer_to_failure(request, error);
  if (!instance_id.empty()) response.header("acp-instance-id", instance_id);
  return response;
}

// Where a reader wants to go on.
Result<ReaderStart> reader_start(const Request& request, const Instance& instance) {
  ReaderStart start;
  const std::string_view text = request.header("last-event-id");
  if (!text.empty()) {
    start.after = read_event_id(text);
    if (!start.after)
      return fail(Error{ErrorCode::invalid_request, "Last-Event-ID must be the number of an event.", {}}.with_text(
          "field", "Last-Event-ID"));
  }
  const std::string_view known = request.header("acp-instance-id");
  start.other_instance = !known.empty() && known != instance.id();
  TRY(const auto include, request.query_parameter("include"));
  start.include_client = include == "client";
  return start;
}

void describe_process(const Instance& instance, ServerDocument& document) {
  const Child& child = instance.child();
  if (!instance.exited()) {
    document.pid = child.pid();
    document.rss_bytes = resident_bytes(child.pid());
  } else if (child.exit() && child.exit()->signal) {
    document.signal = signal_name(child.exit()->signal);
  } else if (child.exit()) {
    document.exit_code = child.exit()->code;
  }
}

ServerDocument server_document(const Instances::Row& row) {
  ServerDocument document{.server_id = row.server_id, .agent = row.agent, .created_at_ms = row.created_at};
  document.instance_id = row.instance_id;
  document.last_activity_at_ms = row.created_at;
  if (!row.instance) {
    document.phase = row.phase;
    return document;
  }
  const Instance& instance = *row.instance;
  document.created_at_ms = instance.created_at();
  document.status = instance.exited() ? ServerStatus::exited : ServerStatus::running;
  describe_process(instance, document);
  document.last_activity_at_ms = instance.last_activity();
  document.pending_requests = instance.pending_requests();
  document.open_agent_requests = instance.open_agent_requests();
  document.readers = instance.readers();
  document.last_event_id = instance.last_event();
  return document;
}

// It has written nothing yet, and getting it ready may last.
bool is_starting(const Api& api, const std::string& id) {
  const auto rows = api.instances.list();
  return std::ranges::any_of(rows, [&](const Instances::Row& row) { return row.server_id == id && !row.instance; });
}

}  // namespace

Task<Result<Response>> post_acp(Api& api, Request& request) {
  CO_TRY(std::string id, server_id(request));
  CO_TRY(std::string body, co_await request.body->all());
  CO_TRY(Envelope envelope, parse_envelope(std::move(body)));
  CO_TRY(auto agent, request.query_parameter("agent"));
  Signal wake(api.agents.loop);
  Asker asker{wake, hang_up_of(request)};
  const auto found = co_await api.instances.find_or_start(id, std::move(agent), &asker);
  if (!found) co_return failure_of(asker.instance_id, request, found.error());
  const std::shared_ptr<Instance>& instance = *found;
  if (!instance) {
    api.instances.send_when_ready(id, std::move(envelope));
    co_return Response::client_gone();
  }

  Response accepted = Response::empty(202);
  accepted.header("acp-instance-id", instance->id());
  if (envelope.kind != EnvelopeKind::request) {
    const auto sent = co_await instance->send(std::move(envelope));
    if (!sent) co_return failure_of(instance->id(), request, sent.error());
    co_return accepted;
  }
  if (prefers(request, "respond-async")) {
    const auto sent = co_await instance->request_async(std::move(envelope));
    if (!sent) co_return failure_of(instance->id(), request, sent.error());
    accepted.header("preference-applied", "respond-async");
    co_return accepted;
  }
  auto reply = co_await instance->request(std::move(envelope), asker.gone);
  if (!reply) co_return failure_of(instance->id(), request, reply.error());
  if (!*reply) co_return Response::client_gone();
  Response response = Response::json(std::move((*reply)->bytes));
  response.header("acp-instance-id", instance->id()).header("acp-event-id", fmt::format_int((*reply)->event).c_str());
  co_return response;
}

Task<Result<Response>> get_acp(Api& api, Request& request) {
  CO_TRY(std::string id, server_id(request));
  Signal wake(api.agents.loop);
  const Asker asker{wake, hang_up_of(request)};
  CO_TRY(const auto instance, co_await api.instances.find(std::move(id), &asker));
  if (!instance) co_return Response::client_gone();
  CO_TRY(const ReaderStart start, reader_start(request, *instance));
  Response response = Response::events(std::make_unique<EventSource>(instance->read(start)));
  response.header("acp-instance-id", instance->id());
  co_return response;
}

Task<Result<Response>> delete_acp(Api& api, Request& request) {
  CO_TRY(std::string id, server_id(request));
  co_await api.instances.close(std::move(id));
  co_return Response::empty(204);
}

Task<Result<Response>> get_acp_stderr(Api& api, Request& request) {
  CO_TRY(std::string id, server_id(request));
  if (is_starting(api, id)) co_return Response::text("");
  CO_TRY(const auto instance, co_await api.instances.find(std::move(id)));
  co_return Response::text(instance->stderr_text());
}

Task<Result<Response>> list_acp(Api& api, Request&) {
  ServerList list;
  for (const Instances::Row& row : api.instances.list()) list.servers.push_back(server_document(row));
  co_return Response::json(to_json(list));
}

}  // namespace sa
