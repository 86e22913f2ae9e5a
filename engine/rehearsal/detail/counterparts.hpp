// Which record of one graph is which of another that began as the same and went its own way. One
// that was there at the beginning is itself, as long as both call it alike; others are known by
// kind and identifier, and where several share these, by the order of their identities.
#pragma once

#include "engine/graph/graph.hpp"
#include "engine/graph/record_sets.hpp"

namespace netml::engine {

// What a record has in the other graph that has none: no record has this identity.
inline constexpr RecordId kNowhere{0xffffffff};

// Thread: its owner.
class Counterparts {
 public:
  // Records below `first_own` were there at the beginning. The graphs outlive it.
  Counterparts(const Graph& from, const Graph& to, RecordId first_own)
      : from_(from), to_(to), first_own_(first_own) {}

  // Of a record of `from`; kNowhere when `to` does not have it.
  RecordId of(RecordId id);
  // From now on this is the counterpart of `id`, which `from` need not have.
  void set(RecordId id, RecordId counterpart) { known_.insert_or_assign(id, counterpart); }

  // The record as `to` has to say it: all that it refers to are counterparts.
  Record translated(const Record& record);

 private:
  bool is_itself(RecordId id) const;
  void match(Kind kind, std::string_view identifier);

  const Graph& from_;
  const Graph& to_;
  const RecordId first_own_;
  RecordMap<RecordId> known_;
};

}  // namespace netml::engine
