// Backups: a data directory in one file, as it was at one moment of a store that goes on, and the
// way back (docs/format/backup.md). Everything is checked on its way in, and proved on its way out.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/parallel.hpp"
#include "engine/base/work_now.hpp"
#include "wal/commit/store.hpp"
#include "wal/format/data_directory.hpp"
#include "wal/format/journal.hpp"
#include "wal/upkeep/verify.hpp"

namespace netml::wal {

// Members beside those of the data directory.
inline constexpr std::string_view kBackupHead = "head";
inline constexpr std::string_view kBackupSums = "SHA256SUMS";

struct BackupOptions {
  // Stored files that the state names and that are not there are left out, and the backup's
  // manifest says so (AbsentFile). Unless this is set there is no backup then.
  bool without_missing_uploads = false;
  // Lives as long as the backup: for whoever keeps stored files from going meanwhile.
  std::shared_ptr<const void> hold = nullptr;
};

// What a backup gives, piece by piece. It holds open what the store may delete meanwhile (K5).
// The data directory must outlive it. Thread: one at a time.
class Backup {
 public:
  // On the thread of the store that `view` was taken of, in the same call, so that no checkpoint
  // is deleted in between. Errc::corruption when something that belongs to it is missing.
  static Result<std::unique_ptr<Backup>> start(DataDirectory& data, const LiveView& view,
                                               const BackupOptions& options = {});
  virtual ~Backup() = default;

  // What the journal in the backup ends with. Whoever notes it elsewhere can prove later that the
  // backup is this one.
  virtual const Head& head() const = 0;
  // The stored files that it is made without, each with what names it: "import 3 (ab12...)".
  virtual const std::vector<std::string>& left_out() const = 0;

  // The next piece of the file, valid until the next call; empty = end. Errc::corruption when what
  // is stored is damaged: then there is no backup.
  virtual Result<std::span<const std::byte>> next() = 0;
};

struct RestoreOptions {
  std::optional<Head> known = {};  // noted outside: the backup's journal must pass through it
  std::function<void(std::uint64_t bytes)> progress = [](std::uint64_t) {};  // read so far
  ReportWork verifying = {};  // once all is read, as VerifyOptions::report
};

// Fills `into`, which is empty, and verifies all of it, as verify() does; the manifests are the
// last of what is written. Errc::invalid_input when `backup` is not a whole, undamaged backup;
// then what lies in `into` is worth nothing.
Result<VerifyReport> restore(File& backup, Storage& into, Parallel& parallel,
                             const RestoreOptions& options = {});

}  // namespace netml::wal
