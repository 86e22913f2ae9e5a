// What an open node is made of. What it does stands in the sources of the folder, by what is done.
//
// Thread: as Node, where nothing else is said.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "admin/base/memory_budget.hpp"
#include "admin/base/mode.hpp"
#include "admin/metrics/metrics.hpp"
#include "admin/node/data_path.hpp"
#include "admin/node/map_memory.hpp"
#include "admin/node/node.hpp"
#include "admin/node/secrets.hpp"
#include "codecs/formats/file_format.hpp"
#include "engine/base/bell.hpp"
#include "engine/base/ids.hpp"
#include "engine/base/parallel.hpp"
#include "engine/base/random.hpp"
#include "engine/base/result.hpp"
#include "engine/base/time.hpp"
#include "wal/commit/store.hpp"
#include "wal/commit/writer.hpp"
#include "wal/format/data_directory.hpp"
#include "wal/format/manifest.hpp"
#include "wal/history/journal_index.hpp"
#include "wal/journal/journal_view.hpp"
#include "wal/storage/posix_storage.hpp"

namespace netml::admin {

class Node::Impl {
 public:
  // Two for a large transaction, which is applied, encoded and written at once; two for a
  // checkpoint, which is laid out, hashed and written at once.
  static constexpr unsigned kHelperThreads = 4;

  Impl(const NodeOptions& options, const Clock& clock_port, Random& random_port, EventLog& log);

  Status open(IfMissing if_missing);
  Status open_to_write();
  Status begin_membership();
  // Nothing is written; damage is reported, and the state before it shown.
  Status open_to_read();
  Status refuse_damaged_key();
  Status load_secrets(bool has_tokens);
  Status load_secrets_to_read();
  void warn_of_misfit_keys();

  wal::Version version() const { return writer ? writer->published() : fixed; }
  wal::WriterStatus status() const { return writer ? writer->status() : fixed_status; }
  wal::JournalView view() const {
    return writer ? view_of(*writer)
                  : wal::JournalView{uuid, fixed.head, *fixed_status.checkpoints};
  }
  wal::JournalView view_of(const wal::Writer& writing) const {
    return {uuid, writing.published().head, *writing.status().checkpoints};
  }

  Status check_changes_allowed() const;
  void note_advance();
  // After a change, which is durable whatever becomes of this.
  void tell(VersionWatch& watching);
  // From what the writer shows with each status.
  Result<wal::CheckpointEntry> published(std::uint64_t number) const;
  // No stored file goes while somebody has this.
  std::shared_ptr<const int> hold_uploads();
  // Whoever asks the journal later need not wait for that. Background thread of the writer, maybe
  // before `writer` is set.
  void index_closed_segments(const wal::Writer& writing);
  std::vector<std::string> index_findings();

  const std::string directory;
  const bool read_only;
  std::mutex file_limits_mutex;
  codecs::FileLimits file_limits;  // guarded by file_limits_mutex
  MemoryBudget unlimited;          // where none was handed in
  MemoryBudget& memory;
  const std::unique_ptr<Metrics> own_metrics;  // the same
  Metrics& metrics;
  MapMemory map_memory{memory.account(MemoryUse::map, 0)};
  const Mode mode;
  wal::Membership* const membership;  // null: a node alone
  wal::StoreOptions store_options;
  const Clock& clock;
  const std::chrono::nanoseconds opened_at = clock.steady();
  std::atomic<std::chrono::nanoseconds> changed_at = opened_at;  // or since when nothing has
  Random& random;
  EventLog& events;
  std::atomic<VersionWatch*> watch = nullptr;
  std::atomic<std::uint64_t> contents = 0;
  Bell advanced;

  std::unique_ptr<wal::PosixStorage> storage;
  std::unique_ptr<wal::FileLock> lock;
  HelperThreads parallel{kHelperThreads};
  wal::DataDirectory data;
  wal::NodeUuid uuid;
  std::optional<Secrets> secrets;
  bool key_replaced = false;  // the stored tokens are of a key that is lost
  std::optional<wal::JournalIndex> index;
  // Stored files, and what keeps them from going.
  std::mutex uploads;                                                 // guards the following two
  std::map<Sha256, std::chrono::nanoseconds> fresh_uploads;           // since when, of a day
  std::shared_ptr<const int> uploads_read = std::make_shared<int>();  // a copy for each reader
  std::set<Sha256> absent;              // known to be absent when it was opened; few, if any
  std::mutex archiving;                 // held while segments move
  std::mutex publishing;                // held from a published state to the item that names it
  wal::Version fixed;                   // when there is no writer
  wal::WriterStatus fixed_status;       // the same
  std::unique_ptr<wal::Writer> writer;  // none for reading only; last: destroyed first
};

}  // namespace netml::admin
