#include "cli/api_output.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/json_numbers.h"
#include "base/json_pretty.h"
#include "cli/api_documents.h"
#include "cli/api_events.h"
#include "cli/api_request.h"
#include "cli/plain_text.h"

namespace sa {
namespace {

constexpr int not_modified = 304;

}  // namespace

Outcome<ApiOutput> ApiOutput::begin(ApiAnswerKind kind, Invocation& given) {
  ApiOutput output(kind, given.console());
  if (kind != ApiAnswerKind::bytes) return output;
  const std::string name = given.value("--output");
  if (!name.empty() && name != "-") {
    TRY(OutputFile file, OutputFile::begin(name));
    output.file_.emplace(std::move(file));
  } else if (given.console().json()) {
    return wrong_use(given, "bytes are no JSON: with --json they need a file, --output FILE");
  }
  return output;
}

bool ApiOutput::keeps() const {
  return (kind_ == ApiAnswerKind::json && (console_->json() || console_->result_is_terminal())) ||
         (kind_ == ApiAnswerKind::text && console_->json());
}

Result<void> ApiOutput::take(std::string_view bytes) {
  bytes_ += bytes.size();
  if (file_) return file_->write(bytes);
  if (keeps()) {
    kept_ += bytes;
    return {};
  }
  if (kind_ == ApiAnswerKind::events) {
    take_events(bytes);
  } else {
    console_->print(bytes);
    ends_line_ = bytes.ends_with('\n');
  }
  if (console_->reader_left()) return fail(ErrorCode::internal, "Nobody reads what is printed.");
  return {};
}

void ApiOutput::take_events(std::string_view bytes) {
  if (!console_->json()) console_->print(bytes);
  events_.feed(bytes, [this](const ServerEvent& event) {
    if (console_->json()) console_->document(event_document(event));
    if (event.event == "problem") problem_ = failure_of_problem(event.data);
  });
}

void ApiOutput::print_json() {
  boost::system::error_code error;
  boost::json::value value = console_->json() ? nullptr : boost::json::parse(kept_, error);
  mend_zeros(value);
  if (console_->json() || error) {
    console_->line(on_one_line(std::move(kept_)));
  } else {
    console_->print(pretty_json(value));
  }
}

Outcome<Exit> ApiOutput::end(const ApiAnswer& answer) {
  console_->detail(fmt::format("status {}", answer.status));
  for (const auto& [name, value] : answer.headers) console_->detail(fmt::format("{}: {}", name, value));
  if (answer.status == not_modified) console_->status("the copy is still good; nothing was sent");
  const bool has_body = answer.status != not_modified && (bytes_ > 0 || kind_ == ApiAnswerKind::bytes);
  if (file_ && has_body) {
    if (auto put = file_->commit(); !put) return failed(failure_of(put.error()));
  }
  if (problem_) return failed(std::move(*problem_));
  if (console_->json() && kind_ == ApiAnswerKind::text) {
    console_->document(to_json(ApiText{answer.status, kept_}));
  } else if (console_->json() && file_) {
    console_->document(to_json(ApiSaved{answer.status, bytes_}));
  } else if (kind_ == ApiAnswerKind::json && keeps() && has_body) {
    print_json();
  } else if (console_->json() && !has_body) {
    console_->document(to_json(ApiStatus{answer.status}));
  } else if (kind_ == ApiAnswerKind::json && !ends_line_) {
    console_->print("\n");
  }
  return Exit::success;
}

}  // namespace sa
