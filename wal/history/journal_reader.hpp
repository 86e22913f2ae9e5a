// Reads the journal as a history: who changed what, when and why (docs/audit.md). No state is
// needed: values are shown as they stand in the journal. What `netml log`, `show` and `history`
// stand on.
//
// Nothing above the durable head that it is opened with is seen. Nothing in the data directory is
// changed except derived data, so a running node does not mind. Damage is reported where reading
// meets it (Errc::corruption), after what stands before it was given; the place is in the message.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/transaction/field_change.hpp"
#include "engine/transaction/transaction.hpp"
#include "wal/format/journal.hpp"
#include "wal/history/detail/memberships.hpp"
#include "wal/history/journal_index.hpp"
#include "wal/journal/frame_file.hpp"
#include "wal/journal/journal_view.hpp"
#include "wal/storage/storage.hpp"

namespace netml::wal {

struct HistoryEntry {
  Lsn lsn;
  bool committed = true;  // else aborted: it never counted
  std::string abort_reason;
  engine::Provenance provenance;  // of committed ones, as is what follows
  engine::ChangeCounts counts;
  RecordNumber next_number;  // of the state afterwards, as is the following
  engine::Digest digest;
  Sha256 chain{};  // after its last frame
};

enum class Order : std::uint8_t { oldest_first, newest_first };

// All conditions must hold. Of `records` and `topologies` an entry must concern one, if any is
// given; aborted transactions never concern anything.
struct HistoryQuery {
  Lsn first{1};
  Lsn last = {};  // 0 = the head
  Order order = Order::oldest_first;
  std::optional<std::string> actor = {};
  std::string text = {};  // in lower case: part of the actor or the source, in any case
  std::optional<engine::Cause> cause = {};
  std::vector<RecordId> records = {};  // changed
  // Changed, joined, left or renumbered, or one that belongs to it was changed. Members are known
  // from the beginning of the journal only, so this reads all that speaks of the topologies.
  std::vector<RecordId> topologies = {};
};

enum class EffectAction : std::uint8_t { created, updated, deleted };

// A change of a record: of an update only the fields that differ, else all that it has. Lists of
// associations hold in an update those taken away (before) and added (after).
struct RecordEffect {
  RecordId id;
  Kind kind = Kind::topology;
  EffectAction action = EffectAction::created;
  std::vector<engine::FieldChange> fields;
};

// Secrets do not leave the journal: of them it is only reported that they changed.
struct EntryEffect {
  const char* entry =
      "";  // what it is, as in engine/transaction/catalog_tables.hpp: "import record"
  std::uint64_t number = 0;
  EffectAction action = EffectAction::created;
  std::vector<engine::EntryFieldChange> fields;
};

// Of one frame.
struct JournalEffects {
  std::vector<RecordEffect> records;
  std::vector<engine::Numbering> numberings;
  std::vector<engine::Renumbering> renumberings;
  std::vector<EntryEffect> entries;
};

// How many records of each Kind were created, updated and deleted.
using CountsByKind = std::array<engine::ChangeCounts, kKindCount>;

struct RecordIdentity {
  Kind kind = Kind::topology;
  std::string identifier;
};

// Thread: its owner. What it is opened with must outlive it; `index` may be shared by many.
class JournalReader {
 public:
  static Result<JournalReader> open(Storage& data, const JournalView& view, JournalIndex& index);

  Lsn head() const { return head_.lsn; }
  const Head& head_hash() const { return head_; }

  // ---- transactions ----
  // Calls visit(entry) until it returns false.
  Status history(const HistoryQuery& query, const std::function<bool(const HistoryEntry&)>& visit);
  // Errc::not_found beyond the head.
  Result<HistoryEntry> entry(Lsn lsn);
  // The last one committed with an effective time up to `time`; 0 = none.
  Result<Lsn> at_time(WallTime time);
  // The last one committed up to `lsn`; 0 = none.
  Result<Lsn> committed_before(Lsn lsn);
  // The one that gave the number to a record; 0 = none did.
  Result<Lsn> numbered_at(RecordNumber number);
  // The last one committed that wrote each import record, which may have been deleted since; those
  // that none wrote are left out. Reads the index of each segment once, from the newest back until
  // all are found.
  Result<std::map<std::uint32_t, Lsn>> imports_written(std::set<std::uint32_t> numbers);

  // ---- effects ----
  // Calls visit(effects) for each frame of a transaction, in order, until it returns false. Also
  // of one that was aborted. Errc::not_found beyond the head.
  Status effects(Lsn lsn, const std::function<bool(JournalEffects)>& visit);
  // The same, some frames at a time: `frame` counts from 0. Nothing behind the last one.
  Result<std::optional<JournalEffects>> effects_of_frame(Lsn lsn, std::uint64_t frame);
  // The same in numbers; costs reading the frames, but none of the values in them.
  Result<CountsByKind> counts_by_kind(Lsn lsn);
  // Each change of any of `records` by a transaction that was committed, oldest first, until
  // visit() returns false.
  Status changes_of(const std::vector<RecordId>& records,
                    const std::function<bool(Lsn, const RecordEffect&)>& visit);

  // Makes the indexes of the newest few closed segments ahead of questions, where they have none.
  Status prepare();
  // What is wrong with the files of those indexes that there are.
  std::vector<std::string> index_findings() const;

  // ---- names ----
  // All records that ever carried the identifier, of whatever kind, ascending.
  Result<std::vector<RecordId>> records_named(std::string_view identifier);
  // What the record was called after `lsn`, or last before it was deleted; nothing if it did not
  // exist yet.
  Result<std::optional<RecordIdentity>> identity(RecordId record, Lsn lsn);

 private:
  using IndexPtr = std::shared_ptr<const SegmentIndex>;
  using TakeLsn = std::function<Result<bool>(Lsn)>;  // false: enough

  // Where the frames of a transaction go on, for the one who reads them in order.
  struct Reading {
    Lsn lsn;
    std::size_t segment = 0;
    ScanPoint point;
  };

  JournalReader(const Head& head, JournalIndex& index) : head_(head), index_(&index) {}
  Status check(Lsn lsn) const;
  JournalIndex::Wanted wanted(std::size_t segment) const;
  Result<IndexPtr> places(std::size_t segment) {
    return index_->places(*journal_, wanted(segment));
  }
  Result<IndexPtr> changes(std::size_t segment) {
    return index_->changes(*journal_, wanted(segment));
  }
  std::size_t closing_segment(Lsn lsn) const;
  Result<FrameFile*> file_of(std::size_t segment);
  Result<Frame> frame(std::size_t segment, std::uint64_t offset, Lsn lsn);
  Result<Frame> closing_frame(Lsn lsn);
  Result<std::optional<Frame>> committed_frame(std::size_t segment, const SegmentIndex& index,
                                               std::uint32_t offset);
  Result<bool> committed(Lsn lsn);
  Result<Lsn> first_beyond(const std::function<bool(const HistoryEntry&)>& is_beyond);
  Result<Lsn> import_written_in(std::size_t segment, const SegmentIndex& index,
                                std::uint32_t number);
  Status each_in_range(const HistoryQuery& query, Lsn first, Lsn last, const TakeLsn& take);
  Status each_concerned(const HistoryQuery& query, Lsn first, Lsn last, const TakeLsn& take);
  Status find_members(const std::vector<RecordId>& topologies);
  Status add_members(std::size_t segment, Memberships& members);
  Status find_start(Lsn lsn);
  Result<std::optional<Frame>> effects_frame(Lsn lsn, std::uint64_t ordinal);
  Result<std::optional<RecordEffect>> effect_on(std::size_t segment, const SegmentIndex& index,
                                                NumberPlace place);
  Result<bool> identity_in(std::size_t segment, RecordId record, Lsn lsn,
                           std::optional<RecordIdentity>& found);

  Head head_;
  JournalIndex* index_;
  std::unique_ptr<Storage> journal_;
  std::vector<SegmentHeader> segments_;  // up to the one with the head
  std::optional<FrameFile> file_;
  std::size_t file_segment_ = 0;  // of file_
  Reading reading_;
  std::optional<Memberships> members_;  // of the topologies asked for last
};

}  // namespace netml::wal
