// The bodies of requests that say in JSON what is wanted, checked as far as that is possible without looking at the disk. Any
// thread.
#pragma once

#include <string_view>

#include "agents/install_plan.h"
#include "files/file_root.h"
#include "files/move.h"

namespace sa {

// A body may be left out. Errors: invalid_request, unprocessable.
Result<InstallWishes> read_install_request(std::string_view body);

struct MoveOrder {
  GuardedPath from;
  GuardedPath to;
  Overwrite overwrite;
};
// Errors: invalid_request and unprocessable, with the member at fault in `field`, and what FileRoot::guard refuses.
Result<MoveOrder> read_move_request(std::string_view body, const FileRoot& root);

// In a JSON body a wrong path is the fault of the member that holds it.
template <class T>
Result<T> blaming(std::string_view member, Result<T> result) {
  if (result || result.error().code != ErrorCode::invalid_request) return result;
  return fail(Error{ErrorCode::invalid_request, result.error().detail, {}}.with_text("field", member));
}

}  // namespace sa
