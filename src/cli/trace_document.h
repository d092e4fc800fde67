// The schema of a line of a trace (client/trace.h writes it): its envelope is somebody else's JSON.
#pragma once

#include "api/schema.h"
#include "client/trace.h"

namespace sa {

struct TraceLineDocument {};

template <>
struct SchemaOfType<TraceLineDocument> {
  static boost::json::object make(SchemaBook& book) {
    const boost::json::object message{{"type", "object"},
                                      {"properties",
                                       {{"seq", {{"type", "integer"}, {"description", "The agent's event number."}}},
                                        {"direction", schema_of<Speaker>(book)},
                                        {"envelope", schema_of<AnyEnvelope>(book)}}},
                                      {"required", boost::json::array{"direction", "envelope"}}};
    const boost::json::object gap{{"type", "object"},
                                  {"properties", {{"gap", {{"type", "object"}, {"description", "What is missing."}}}}},
                                  {"required", boost::json::array{"gap"}}};
    book.components["TraceLine"] = {{"description", "A message and who said it, or what is missing."},
                                    {"oneOf", boost::json::array{message, gap}}};
    return reference_to("TraceLine");
  }
};

}  // namespace sa
