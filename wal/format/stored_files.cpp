#include "wal/format/stored_files.hpp"

#include <utility>

#include "engine/base/sha256.hpp"
#include "wal/storage/packed_file.hpp"

namespace netml::wal {

namespace {
constexpr std::string_view kPackedSuffix = ".zst";
}

std::string stored_name(const Sha256& hash, StoredAs how) {
  std::string name = to_hex(hash);
  if (how == StoredAs::compressed) name += kPackedSuffix;
  return name;
}

std::string_view hash_in_name(std::string_view name) {
  if (name.ends_with(kPackedSuffix)) name.remove_suffix(kPackedSuffix.size());
  return name;
}

Result<std::unique_ptr<File>> open_stored(Storage& uploads, std::string_view name) {
  NETML_TRY(std::unique_ptr<File> file, uploads.open(name, OpenMode::read));
  if (!name.ends_with(kPackedSuffix)) return file;
  return open_packed(std::move(file));
}

Result<std::unique_ptr<File>> open_stored(Storage& uploads, const Sha256& hash) {
  auto compressed = open_stored(uploads, stored_name(hash, StoredAs::compressed));
  if (compressed || compressed.error().code != Errc::not_found) return compressed;
  return open_stored(uploads, stored_name(hash, StoredAs::itself));
}

bool is_stored(Storage& uploads, const Sha256& hash) {
  return uploads.open(stored_name(hash, StoredAs::compressed), OpenMode::read) ||
         uploads.open(stored_name(hash, StoredAs::itself), OpenMode::read);
}

}  // namespace netml::wal
