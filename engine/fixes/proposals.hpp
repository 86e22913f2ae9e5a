// What would mend a finding, and why (docs/quality.md, "Fixes"). Nothing is proposed without a
// reason in the map itself.
//
// Ownership: refers to the map, which must outlive it. Thread: its owner.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "engine/edit/plan_records.hpp"
#include "engine/fixes/merges.hpp"
#include "engine/fixes/owner_search.hpp"
#include "engine/quality/inspect.hpp"

namespace netml::engine {

enum class FixKind : std::uint8_t {
  none,
  place_exchanged,
  place_mirrored,
  merge,
  owner_of_ends,
  owner_of_topology,
  owner_of_rest,
  properties_removed,
  repeats_removed,
  text_decoded,
};
const char* fix_name(FixKind kind);  // in answers: "place-exchanged"

struct Proposal {
  FixKind kind = FixKind::none;
  std::string text;                         // in words; of none: why nothing is proposed
  RecordId target = {};                     // that is kept, or becomes the owner
  RecordEdit edit = {};                     // of the record, but for a merge
  std::shared_ptr<const Merge> merge = {};  // the same for all of a group
};

// Whether something is ever proposed for findings of the check.
bool has_fixes(Check check);

class Proposals {
 public:
  explicit Proposals(const Inspection& map) : map_(map), owners_(map.graph) {}

  // All findings of a check, of the whole map, before any of them is proposed for: what belongs
  // together is known then.
  void take(const Finding& finding);
  Proposal propose(const Finding& finding);

 private:
  Proposal propose_merge(const Finding& finding);
  Proposal propose_owner(const Finding& finding);
  std::shared_ptr<const Merge> merge_of(const Finding& finding);

  const Inspection map_;
  OwnerSearch owners_;
  std::map<Check, Duplicates> duplicates_;
  std::map<std::pair<Check, std::size_t>, std::shared_ptr<const Merge>> merges_;
};

}  // namespace netml::engine
