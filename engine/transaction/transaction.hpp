// A transaction: a set of effects with the values before and after, and who caused them and why.
// It is what planning makes, the journal keeps, and apply() turns into the next version.
//
// Thread: any (a value).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/parallel.hpp"
#include "engine/base/result.hpp"
#include "engine/base/time.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/graph/record.hpp"
#include "engine/transaction/state.hpp"

namespace netml::engine {

enum class ActorKind : std::uint8_t {
  system = 0,
  command_line = 1,
  token = 2,
  account = 3,
  schedule = 4
};
enum class Cause : std::uint8_t {
  import = 0,
  poll = 1,
  edit = 2,
  rule = 3,
  undo = 4,
  publish = 5,
  token = 6,
  setting = 7,
  failed_import = 8,
  repair = 9,
  account = 10,
  upload = 11,   // a file stored to be imported later
  source = 12,   // a polling source was added, changed or deleted
  session = 13,  // somebody signed in or out
};
inline constexpr std::uint8_t kCauseCount = 14;
// "import", "failed_import": for people.
const char* cause_name(Cause cause);

// Who and why. Fixed when the transaction is made; it cannot be added to an old journal later.
struct Provenance {
  ActorKind actor_kind = ActorKind::system;
  std::string actor;  // name of the token, account or operating system user
  Cause cause = Cause::edit;
  std::string source;  // file name, polling source, address
  std::optional<Sha256> file_hash;
  std::string request_id;
  std::uint64_t batch = 0;  // transactions of one batch share it; 0 = none
  WallTime wall_time;
  WallTime effective_time;  // equals wall_time unless a date was given; never goes back
};

// One record created (no before), updated, or deleted (no after).
struct RecordChange {
  RecordId id;
  Record before;
  Record after;
};

// Every member of `topology` gets a fresh number: institutions, then nodes, then links, each kind
// ascending by RecordId, consecutive from `first`. Depends on the state alone, so the journal
// holds 12 bytes instead of one entry for each element (decision 8).
struct Renumbering {
  RecordId topology;
  RecordNumber first;
  std::uint64_t count = 0;  // how many members that are; checked when applied
  bool operator==(const Renumbering&) const = default;
};

// One record gets this number: made manually, or a new topology.
struct Numbering {
  RecordId id;
  RecordNumber number;
  bool operator==(const Numbering&) const = default;
};

template <class T>
struct EntryChange {
  std::uint64_t number = 0;
  std::shared_ptr<const T> before;
  std::shared_ptr<const T> after;
};

template <class T>
using EntryChanges = std::vector<EntryChange<T>>;
using CatalogChanges = CatalogTables<EntryChanges>;

struct Transaction : CatalogChanges {
  Provenance provenance;

  // Applied in this order, and after the changes of entries. Each record and entry at most once;
  // records ascending by RecordId.
  std::vector<RecordChange> records;
  std::vector<Numbering> numberings;
  std::vector<Renumbering> renumberings;

  // Of the state afterwards.
  RecordId next_id;
  RecordNumber next_number;

  bool empty() const;  // no effects
};

// A transaction that changes nothing yet.
Transaction empty_transaction(const State& state);

// The changes of `second`, which was planned on the state after `first`, on top of those of
// `first`. What came back to where it was is no change. All are ascending.
std::vector<RecordChange> combined_changes(std::vector<RecordChange> first,
                                           std::vector<RecordChange> second);

// How many records a transaction creates, updates and deletes.
struct ChangeCounts {
  std::uint64_t created = 0;
  std::uint64_t updated = 0;
  std::uint64_t deleted = 0;
  bool operator==(const ChangeCounts&) const = default;
};
ChangeCounts count_changes(const Transaction& transaction);

// The state after `transaction`, which becomes number `lsn`. Used alike when a transaction is
// committed and when it is replayed. Each before-value must be what `state` holds, and references
// must lead to existing records: Errc::corruption otherwise, and nothing is changed. Costs what
// the transaction touches; a large one is applied on two cores.
Result<State> apply(const State& state, const Transaction& transaction, Lsn lsn,
                    Parallel& parallel);
inline Result<State> apply(const State& state, const Transaction& transaction, Lsn lsn) {
  InlineParallel parallel;
  return apply(state, transaction, lsn, parallel);
}

}  // namespace netml::engine
