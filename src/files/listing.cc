#include "files/listing.h"

#include <algorithm>
#include <cerrno>
#include <limits>

#include "files/directory_reader.h"
#include "files/file_error.h"
#include "files/resolve.h"

namespace sa {

Result<Listing> Listing::of(const GuardedPath& directory) {
  TRY(UniqueFd descriptor, open_directory(directory));
  Listing listing(std::move(descriptor));
  if (const int error = listing.read_names()) return fail_file(error, directory.absolute());
  return listing;
}

int Listing::read_names() {
  DirectoryReader reader(directory_.get());
  while (const dirent* entry = reader.next()) {
    if (names_.size() > std::numeric_limits<std::uint32_t>::max() - sizeof entry->d_name) return ENOMEM;
    order_.push_back(static_cast<std::uint32_t>(names_.size()));
    names_.append(entry->d_name).push_back('\0');
  }
  std::ranges::sort(order_, {}, [this](std::uint32_t place) { return std::string_view(name_at(place)); });
  return reader.error();
}

std::optional<Listing::Entry> Listing::next() {
  while (at_ < order_.size()) {
    const char* name = name_at(order_[at_++]);
    if (auto info = look(directory_.get(), name)) return Entry{name, std::move(*info)};
  }
  return std::nullopt;
}

}  // namespace sa
