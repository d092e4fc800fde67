// Where the answer of an `api` command goes: stdout or a file, as it comes where that is possible. Blocking; lives as long as
// the call.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/api_inputs.h"
#include "cli/invocation.h"
#include "cli/output_file.h"
#include "client/api_call.h"
#include "client/event_parser.h"

namespace sa {

class ApiOutput {
 public:
  // Failure: usage; a file that cannot be written.
  static Outcome<ApiOutput> begin(ApiAnswerKind kind, Invocation& given);

  // The next bytes of the body. An error when nobody takes them any more.
  Result<void> take(std::string_view bytes);

  // The answer is complete. Failure: a file that cannot take its place, a problem at the end of a stream.
  Outcome<Exit> end(const ApiAnswer& answer);

 private:
  ApiOutput(ApiAnswerKind kind, Console& console) : kind_(kind), console_(&console) {}

  bool keeps() const;  // until the answer is complete
  void take_events(std::string_view bytes);
  void print_json();

  ApiAnswerKind kind_;
  Console* console_;
  std::optional<OutputFile> file_;
  std::string kept_;
  EventParser events_;
  std::optional<Failure> problem_;  // that a stream told
  std::uint64_t bytes_ = 0;
  bool ends_line_ = true;  // what was printed last
};

}  // namespace sa
