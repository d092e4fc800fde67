// What `api …` prints with --json where the answer itself is no JSON document. Values and their shapes.
#pragma once

#include <boost/json/fwd.hpp>
#include <string>

#include "api/schema.h"
#include "base/shape.h"

namespace sa {

struct ApiStatus {
  int status = 0;
};

template <>
struct Shape<ApiStatus> {
  static constexpr std::string_view name = "ApiStatus";
  static constexpr std::string_view help = "An answer without a body.";
  static constexpr std::tuple fields{Field{"status", &ApiStatus::status, "The HTTP status."}};
};

struct ApiText {
  int status = 0;
  std::string text;
};

template <>
struct Shape<ApiText> {
  static constexpr std::string_view name = "ApiText";
  static constexpr std::string_view help = "An answer that is text.";
  static constexpr std::tuple fields{
      Field{"status", &ApiText::status, "The HTTP status."},
      Field{"text", &ApiText::text, "The body."},
  };
};

struct ApiSaved {
  int status = 0;
  std::uint64_t bytes = 0;
};

template <>
struct Shape<ApiSaved> {
  static constexpr std::string_view name = "ApiSaved";
  static constexpr std::string_view help = "An answer that was put into a file.";
  static constexpr std::tuple fields{
      Field{"status", &ApiSaved::status, "The HTTP status."},
      Field{"bytes", &ApiSaved::bytes, "The size of the body."},
  };
};

// Of an event as EventLines writes it.
inline boost::json::object stream_event_schema(SchemaBook& book) {
  book.components["StreamEvent"] = {
      {"type", "object"},
      {"description", "One event of a stream."},
      {"properties",
       {{"event", {{"type", "string"}, {"description", "Its kind, such as 'message', 'gap' or 'done'."}}},
        {"id", {{"type", "integer"}, {"description", "Its number, where it has one."}}},
        {"data", {{"description", "What it carries: any JSON value, as it came."}}}}},
      {"required", {"event", "data"}}};
  return reference_to("StreamEvent");
}

}  // namespace sa
