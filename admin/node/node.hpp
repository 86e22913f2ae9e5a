// A node's data, open: the one writer of its directory, the versions readers see, its secrets.
// Services stand on it; it knows nothing of HTTP or of the command line.
//
// Thread: any, except open(), close() and destruction.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "admin/base/memory_budget.hpp"
#include "admin/base/mode.hpp"
#include "admin/metrics/metrics.hpp"
#include "admin/node/event_log.hpp"
#include "admin/node/secrets.hpp"
#include "admin/node/spool.hpp"
#include "codecs/formats/file_format.hpp"
#include "engine/base/bell.hpp"
#include "engine/base/work_now.hpp"
#include "engine/overrides/plan_overrides.hpp"
#include "engine/rules/run_rules.hpp"
#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"
#include "wal/cluster/membership.hpp"
#include "wal/commit/store.hpp"
#include "wal/history/journal_reader.hpp"
#include "wal/history/past_state.hpp"
#include "wal/journal/archive.hpp"
#include "wal/storage/storage.hpp"
#include "wal/upkeep/backup.hpp"
#include "wal/upkeep/verify.hpp"

namespace netml::admin {

struct NodeOptions {
  std::string data_directory = {};
  bool read_only = false;               // nothing is written, whatever state the data are in (E4)
  bool must_exist = false;              // do not make a directory
  codecs::FileLimits file_limits = {};  // of what is imported
  MemoryBudget* memory = nullptr;       // of the process, outlives the node; null: no limit
  Metrics* metrics = nullptr;           // the same; null: its own, which nobody reads
  Mode mode = Mode::production;         // decides the defaults of settings
  // Of the cluster whose member the node is; not begun yet, and outlives the node. Null: a node
  // alone. A member's directory holds a history already: it is never made here.
  wal::Membership* membership = nullptr;
  // How it is stored. Helper threads and the signing key are the node's own.
  wal::StoreOptions store = {};
};

// Who asks for a change.
struct Caller {
  engine::ActorKind kind = engine::ActorKind::command_line;
  std::string actor;   // token, account or operating system user
  std::string source;  // where the request came from
  std::string request_id;
  // Called with the LSN of each transaction that was committed for it and can be undone, before
  // Node::commit() returns, on its thread. None: nobody wants to know.
  std::function<void(Lsn)> committed = {};
};

// Whether the enabled collation rules run on what a change to data or rules leaves, as a part of
// its transaction (docs/requirements/collation-rules.md, section 4.1).
enum class RulesAfter : std::uint8_t {
  run,
  skip,  // the plan has run them itself, or must not
};

// More than the body of an edit takes; as many as may wait come to the bytes that may wait.
inline constexpr std::uint64_t kSmallChangeBytes = 64 << 10;

// One change to the state, planned on the version before it.
struct Change {
  Caller caller;
  engine::Cause cause = engine::Cause::edit;
  std::optional<Sha256> file_hash = {};
  std::optional<WallTime> effective_time = {};  // none: now
  // Called on the writer's thread, once; `now` is the transaction's wall time.
  std::function<Result<engine::Transaction>(const engine::State& state, WallTime now)> plan = {};
  RulesAfter rules = RulesAfter::run;
  // Of an edit: what it changes is kept whatever sources deliver; `made` is the transaction's time.
  std::optional<engine::OverrideTerms> keep = {};
  // Given what it comes to before it is committed, on the writer's thread, once; an error refuses
  // it.
  std::function<Status(const engine::State& state, const engine::FollowedByRules& planned)> check =
      {};
  // About how much memory `plan` holds while it waits (S2).
  std::uint64_t bytes = kSmallChangeBytes;
};

// What a change would come to, and the version that it was planned on.
struct PlannedChange {
  engine::StatePtr base;
  engine::Transaction transaction;
  std::vector<engine::RuleLog> rules;  // what each that ran after it would do
  MemoryReservation memory = {};       // of the transaction
};

// A version and its place in the hash chain.
struct Version {
  engine::StatePtr state;
  std::string head;  // "LSN:hash", as exports carry it (decision 22)
};

struct TakenCheckpoint {
  Lsn lsn;
  std::uint64_t bytes = 0;
  std::string file;
};

struct LastCheckpoint {
  Lsn lsn;
  WallTime time;
  std::uint64_t bytes = 0;
};

// How far the file that the map of this start lies in is compared with its checksums and digests,
// while the node is at work. What is damaged is never shown; once it was found nothing is written.
struct StartProof {
  std::string_view state = "proved";  // or "proving", "damaged"
  std::uint64_t bytes_checked = 0;
  std::uint64_t bytes = 0;  // 0: the map was read as a whole before it was shown
};

// What a published item keeps: the file with its graph, which two histories never share.
struct PublishedEntry {
  Lsn lsn;
  Sha256 graph_file{};
};

// What `netml verify` found (rule L4). The state is left out.
struct Verification : wal::VerifyReport {
  std::vector<std::string> warnings;  // what may be wrong, and does not keep the node from working
  std::vector<std::string> index;     // files of index/ that are wrong, so that they are not used
};

// A transaction of the past, whole, and the state that it was applied to.
struct AppliedTransaction {
  MemoryReservation memory;  // of the transaction, and of one that is planned from it
  engine::Transaction transaction;
  engine::StatePtr before;
};

// Who looks at every change to the data of a node once it is done. Thread: any, several at once.
class VersionWatch {
 public:
  virtual ~VersionWatch() = default;
  // Whether it wants to look after this transaction. Called on the writer's thread.
  virtual bool concerns(const engine::Transaction& transaction) const = 0;
  // The newest version after such a change, which is durable whatever becomes of this.
  virtual void look(const engine::State& state) = 0;
};

class Node {
 public:
  // Ports must outlive the node. Errc::unavailable when another process owns the directory and
  // does not answer; Errc::corruption when it is damaged.
  static Result<std::unique_ptr<Node>> open(const NodeOptions& options, const Clock& clock,
                                            Random& random, EventLog& events);
  ~Node();  // closes

  Version version() const;
  // Who looks at changes from now on; null: nobody. It outlives the node or is taken away before.
  void watch(VersionWatch* watcher);
  // Rings when version() may have become another, on the writer's thread: whoever waits is brief.
  Bell& advanced();

  // Returns when the change is durable and visible. A transaction without effects is not journaled;
  // it gives the LSN of the version that it was planned on.
  Result<Lsn> commit(Change change);
  // How many transactions changed records since the node was opened, counted when they are planned,
  // on the writer's thread: whoever plans there sees all that came before. While it stays, all
  // records stay; their numbers and the catalog may change.
  std::uint64_t contents() const;
  // The same of what `plan` makes for a caller, where nothing else is to be said of it.
  using Plan = std::function<Result<engine::Transaction>(const engine::State&, WallTime now)>;
  Status commit(const Caller& caller, engine::Cause cause, Plan plan) {
    NETML_TRY_VOID(commit(Change{.caller = caller, .cause = cause, .plan = std::move(plan)}));
    return {};
  }
  // What commit() would do now; nothing is changed. `change.plan` is called on this thread.
  // Errc::unavailable when there is too little memory for it.
  Result<PlannedChange> plan(const Change& change) const;

  Result<TakenCheckpoint> checkpoint();
  std::optional<LastCheckpoint> last_checkpoint() const;  // never waits for the writer
  StartProof start_proof() const;                         // the same
  std::uint64_t journal_bytes() const;  // of all segments, as far as they are used
  // Reads everything below the data directory again; readers and writers go on. A head that was
  // noted outside must lie on the way.
  Result<Verification> verify(const std::optional<wal::Head>& known = std::nullopt,
                              const std::optional<Ed25519PublicKey>& key = std::nullopt,
                              const ReportWork& progress = {});
  // A key that signs every checkpoint from now on, and one of the state as of now; its public half.
  // Errc::conflict when there is one, which is named.
  Result<Ed25519PublicKey> create_signing_key();
  // All data as of now, to be read piece by piece; must not outlive the node. Errc::corruption when
  // stored files are missing, which are named, unless the backup may be made without them.
  Result<std::unique_ptr<wal::Backup>> backup(bool without_missing_uploads = false);

  // Moves segments that no start needs to the directory `path`, which is absolute and outside of
  // the data directory; made if need be. Readers and writers go on.
  Result<wal::ArchivedSegments> archive(const std::string& path, const ReportWork& progress = {});
  // What belongs to the directory now.
  Result<wal::Manifest> manifest();

  // The past, up to the newest durable version; none of these waits for the writer. All work is
  // done on the calling thread. The reader must not outlive the node. A state holds its memory in
  // the budget for as long as anybody holds it, taken as it is read: Errc::unavailable when there
  // is too little.
  Result<wal::JournalReader> journal();
  Result<wal::PastState> state_at(Lsn lsn);
  // Errc::not_found beyond the journal; Errc::conflict for one that was aborted; Errc::unavailable
  // when there is too little memory for it, before it is read.
  Result<AppliedTransaction> transaction_at(Lsn lsn);
  // The transactions after a state of the past, each read when it is asked for.
  Result<wal::NextTransaction> transactions_after(const wal::PastState& from);
  // Makes the data directory `path` as this one was at `lsn`, with its key. Errc::conflict when
  // there is something already; nothing is left there when it fails.
  Result<wal::Head> copy_until(Lsn lsn, const std::string& path, const ReportWork& progress = {});

  // Keeps the state as of now as a checkpoint with the role of a published item, and commits the
  // item that `make` gives for it. Returns the item's number.
  using MakeItem = std::function<Result<engine::PublishedItem>(Lsn published, WallTime now)>;
  Result<std::uint64_t> publish(const Caller& caller, const MakeItem& make);
  Status withdraw(const Caller& caller, std::uint64_t number);
  // Gives up what items kept whose entries are gone.
  Status release_published();
  // Never waits for the writer; Errc::not_found.
  Result<PublishedEntry> published_entry(std::uint64_t number) const;
  // The state that a published item holds, read on the calling thread; as state_at().
  Result<engine::StatePtr> published_state(std::uint64_t number) const;

  // How files on their way in are to be compressed; 0: not at all, as programs of before would not
  // find them in this data directory.
  int stored_file_level() const;
  // Moves a spooled file durably to where uploads are kept for audit.
  Status keep_upload(const SpooledFile& file);
  // One that is kept. Errc::not_found when it is rightly gone, Errc::corruption when it is missing.
  Result<std::unique_ptr<wal::File>> open_upload(const Sha256& hash);
  // As if it had just been kept: somebody may want it back.
  void spare_upload(const Sha256& hash);
  // Removes stored files that no import record and no plan names any more; how many. Those that
  // came or were spared within the last day stay, since an import may yet name them; so do all in
  // the first day of this process, and while they are verified or backed up.
  Result<std::size_t> forget_uploads();

  // What the process may use, in which the newest version is accounted for.
  MemoryBudget& memory() const;
  // What it counts.
  Metrics& metrics() const;
  // About what a version as large as the newest takes.
  std::uint64_t map_bytes() const;

  // Returns when the writer has taken a turn, behind what waits for it already: whoever wants to
  // know that it goes on bounds the time. At once where there is none.
  Status await_writer();

  bool writable() const;
  std::string reason() const;  // why it is not
  std::string damage() const;  // what stands after the state that is shown; empty: nothing does
  std::uint64_t free_bytes() const;
  wal::Space space() const;             // of the file system; of nothing where it is not known
  std::size_t changes_waiting() const;  // for the writer
  std::chrono::nanoseconds unchanged() const;  // since the last change, or the opening

  // The error under the request's id, for the operator; nothing of it reaches the client.
  void note_failure(const Caller& caller, const Error& error);

  // Stops the writer, takes the final checkpoint unless `quick`, and marks the directory clean.
  Status close(bool quick = false);

  const std::string& directory() const;
  codecs::FileLimits file_limits() const;
  // For files that are read from now on.
  void set_file_limits(const codecs::FileLimits& limits);
  Mode mode() const;
  const Secrets& secrets() const;
  Random& random();
  const Clock& clock() const;
  EventLog& events();

 private:
  class Impl;
  explicit Node(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace netml::admin
