// Named entries in <directory>/.sandbox-agent/config/<file>: one object, name to entry, pretty-printed. Readers see the old or
// the new file and never a part; writers take turns under a lock, also those of other processes. A file that is not an object
// of objects is config_corrupt for every verb and is never written. Stateless; blocking; any thread.
#pragma once

#include "config/entry_kind.h"
#include "files/directory_lock.h"
#include "files/resolve.h"

namespace sa {

class EntryStore {
 public:
  // The kind must outlive the store.
  constexpr explicit EntryStore(const EntryKind& kind, LockPatience patience = {}) : kind_(&kind), patience_(patience) {}

  // Names are any well-formed UTF-8.
  // The entry as JSON in canonical spelling, however the file spells it.
  Result<std::string> get(const GuardedPath& directory, std::string_view name) const;
  // Waits for other writers, unless `stop` becomes true. Makes the file and its directories when they are missing; all other
  // entries say what they said, their numbers in the same digits.
  Result<void> put(const GuardedPath& directory, std::string_view name, const boost::json::value& entry,
                   const StopFlag& stop) const;
  // Without the entry, the file or the directory (also when that is something else) there is nothing to do.
  Result<void> remove(const GuardedPath& directory, std::string_view name, const StopFlag& stop) const;

 private:
  GuardedPath file_in(const GuardedPath& directory) const;
  Error missing(const GuardedPath& directory, std::string_view name) const;

  const EntryKind* kind_;
  LockPatience patience_;
};

}  // namespace sa
