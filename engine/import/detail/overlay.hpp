// Overrides during an import (docs/overrides.md, "What an import does"). The file is planned
// against the map as it would be without them, and they are laid over what it brings: so what a
// source delivers is known apart from what somebody has decided, and the same file twice gives the
// same map.
//
// Thread: its owner.
#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/catalog/import_log.hpp"
#include "engine/graph/document.hpp"
#include "engine/overrides/plan_overrides.hpp"

namespace netml::engine {

struct ImportContext;

class Overlay {
 public:
  // Of the overrides of `state` those about what the file lists, and about elements that it may
  // delete or bring back. Costs their number and, where there are any, the size of the file.
  // `state` and `document` must outlive it. `now`: overrides that end before it do not count.
  Overlay(const State& state, const Document& document, Instant now);

  bool empty() const { return held_.empty(); }

  // The state with the source's values in the place of those that were set again.
  Result<State> lifted();

  // ---- during the plan, on the lifted state ----

  // Before the rules, as with any edit: elements that stay although the file lists them no longer,
  // those that stay deleted, then values.
  void lay(ImportContext& context);

  // Makes the transaction, planned on the lifted state, one on the state itself, with what became
  // of the overrides.
  void rebase(Transaction& transaction);

 private:
  struct Held {
    std::uint64_t number = 0;
    std::shared_ptr<const Override> entry;
    OverriddenField field;
    // Where the file has the element last; none: it lists it no more.
    std::optional<DocumentIndex> listed = {};
  };

  bool stays_away(const Override& entry) const;
  void find_listed();
  bool is_over(const Held& held) const;
  bool is_home(const ImportContext& context, const Held& held) const;
  RecordId record_of(ImportContext& context, const Held& held) const;
  void keep_element(ImportContext& context, const Held& held);
  void keep_deleted(ImportContext& context, const Held& held);
  void lay_value(ImportContext& context, const Held& held);
  void end(ImportLog& log, const Held& held, std::string_view why);
  void decide(ImportLog& log, const Held& held, std::optional<std::string> contested,
              std::string_view why);

  const State& state_;
  const Document& document_;
  const Instant now_;
  std::vector<Held> held_;                                  // ascending by kind, then number
  boost::unordered_flat_set<std::string_view> topologies_;  // of the file, by identifier
  std::vector<RecordChange> lifted_;
  EntryChanges<Override> changes_;
};

}  // namespace netml::engine
