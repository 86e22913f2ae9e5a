// Stored files on their way to the shared log and from there, in pieces, as they lie in uploads/.
// Thread: any; one at a time for each log.
#pragma once

#include "wal/format/data_directory.hpp"
#include "wal/shared/shared_log.hpp"

namespace netml::wal {

// Files that an append names: small ones, for it to bring; the others are put there, unless they
// are there. One that is not in uploads/ is left out: what names it says so.
Result<std::vector<SharedFile>> share_files(SharedLog& log, Storage& uploads,
                                            std::span<const Sha256> hashes);

struct FetchedFile {
  std::string name;  // in tmp/
  StoredAs how = StoredAs::itself;
};
// Into tmp/, its hash checked. Errc::not_found when the shared log has none; Errc::corruption.
Result<FetchedFile> fetch_file(SharedLog& log, DataDirectory& data, const Sha256& hash);

}  // namespace netml::wal
