#include "wal/cluster/shared_files.hpp"

#include <vector>

namespace netml::wal {

namespace {

struct StoredFile {
  std::unique_ptr<File> file;  // as stored
  SharedUpload upload;
};

Result<StoredFile> open_as_stored(Storage& uploads, const Sha256& hash) {
  StoredAs how = StoredAs::compressed;
  auto file = uploads.open(stored_name(hash, how), OpenMode::read);
  if (!file && file.error().code == Errc::not_found) {
    how = StoredAs::itself;
    file = uploads.open(stored_name(hash, how), OpenMode::read);
  }
  if (!file) return tl::make_unexpected(std::move(file).error());
  NETML_TRY(const std::uint64_t bytes, (*file)->size());
  return StoredFile{*std::move(file), {hash, how, bytes}};
}

Result<std::vector<std::byte>> read_piece(const StoredFile& stored, std::uint32_t number) {
  std::vector<std::byte> piece(piece_bytes(stored.upload, number));
  NETML_TRY_VOID(read_exactly(*stored.file, std::uint64_t{number} * kSharedPieceBytesMax, piece));
  return piece;
}

Status put_pieces(SharedLog& log, const StoredFile& stored) {
  const Result<SharedUpload> there = log.find_upload(stored.upload.hash);
  if (there) return {};
  if (there.error().code != Errc::not_found) return tl::make_unexpected(there.error());
  for (std::uint32_t number = 0; number < pieces_of(stored.upload); ++number) {
    NETML_TRY(const std::vector<std::byte> piece, read_piece(stored, number));
    NETML_TRY_VOID(log.put_upload(stored.upload, number, piece));
  }
  return {};
}

}  // namespace

Result<std::vector<SharedFile>> share_files(SharedLog& log, Storage& uploads,
                                            std::span<const Sha256> hashes) {
  std::vector<SharedFile> small;
  std::size_t brought = 0;
  for (const Sha256& hash : hashes) {
    const Result<StoredFile> stored = open_as_stored(uploads, hash);
    if (!stored && stored.error().code == Errc::not_found) continue;
    if (!stored) return tl::make_unexpected(stored.error());
    if (small.size() == kBroughtFilesMax || brought + stored->upload.bytes > kBroughtBytesMax) {
      NETML_TRY_VOID(put_pieces(log, *stored));
      continue;
    }
    NETML_TRY(std::vector<std::byte> bytes, read_piece(*stored, 0));
    brought += bytes.size();
    small.push_back({stored->upload, std::move(bytes)});
  }
  return small;
}

Result<FetchedFile> fetch_file(SharedLog& log, DataDirectory& data, const Sha256& hash) {
  NETML_TRY(const SharedUpload upload, log.find_upload(hash));
  const std::string name = stored_name(hash, upload.how);
  {
    NETML_TRY(const std::unique_ptr<File> file, data.temporary->open(name, OpenMode::create_empty));
    for (std::uint32_t number = 0; number < pieces_of(upload); ++number) {
      NETML_TRY(const std::vector<std::byte> piece, log.get_upload(upload, number));
      NETML_TRY_VOID(file->write(std::uint64_t{number} * kSharedPieceBytesMax, piece));
    }
  }
  NETML_TRY(const std::unique_ptr<File> content, open_stored(*data.temporary, name));
  NETML_TRY(const std::uint64_t bytes, content->size());
  NETML_TRY(const Sha256 found, hash_file(*content, bytes));
  if (found != hash)
    return fail(Errc::corruption, "the shared log: the stored file " + name + " is damaged");
  return FetchedFile{name, upload.how};
}

}  // namespace netml::wal
