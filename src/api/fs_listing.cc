#include "api/fs_listing.h"

#include "api/fs_documents.h"
#include "base/percent.h"
#include "base/utf8.h"
#include "files/listing.h"

namespace sa {
namespace {

constexpr std::size_t piece_size = 64 * 1024;

class EntryList final : public ByteSource {
 public:
  EntryList(GuardedPath directory, Listing listing) : directory_(std::move(directory)), listing_(std::move(listing)) {}

  // What fill() gave already, to be given once more.
  void begin_with(std::string piece) { ready_ = std::move(piece); }

  bool fill(std::string& piece) override {
    if (!ready_.empty()) {
      piece = std::exchange(ready_, {});
      return true;
    }
    if (!begun_) piece += '[';
    while (piece.size() < piece_size) {
      auto entry = listing_.next();
      if (!entry) {
        piece += "]";
        return false;
      }
      if (begun_) piece += ',';
      begun_ = true;
      append_json(piece, document(std::move(*entry)));
    }
    return true;
  }

 private:
  EntryDocument document(Listing::Entry entry) const {
    EntryDocument document{.name = std::string(entry.name),
                           .path = directory_.child(entry.name).absolute(),
                           .entry_type = entry.info.type,
                           .size = entry.info.size,
                           .modified = std::move(entry.info.modified),
                           .mode = std::move(entry.info.mode),
                           .symlink = std::move(entry.info.symlink),
                           .special = std::move(entry.info.special)};
    if (!is_utf8(document.path)) document.escaped_path = percent_encoded(document.path, "/");
    return document;
  }

  GuardedPath directory_;
  Listing listing_;
  std::string ready_;
  bool begun_ = false;
};

}  // namespace

Result<Response> list_entries(const GuardedPath& directory) {
  TRY(Listing listing, Listing::of(directory));
  auto list = std::make_unique<EntryList>(directory, std::move(listing));
  std::string first;
  if (!list->fill(first)) return Response::json(std::move(first));
  list->begin_with(std::move(first));
  Response response = Response::json(std::string());
  response.body = std::move(list);
  return response;
}

}  // namespace sa
