// What a history would have come to under other collation rules (docs/rules.md, "Rehearsal"): a
// graph that grows beside it, one transaction after the other, with these rules in the place of
// those that were in force. Nothing of it is ever committed.
//
// An import is planned again on base() by whoever can read its file. All else is carried over: what
// the transaction changed is changed here, too, value by value, and the rules run after it as they
// run after any change. As long as this graph is that of the history, and its rules are those that
// were in force, a transaction that is carried over is applied as it was.
//
// Failure: Errc::too_large when identities run out; Errc::corruption for a transaction that does
// not fit the states it is given with.
// Thread: its owner.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/transaction/difference.hpp"
#include "engine/transaction/element_name.hpp"
#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::engine {

class RulesRehearsal {
 public:
  // A transaction of the history, and the states around it.
  struct Happened {
    const Transaction& transaction;
    const State& before;
    const State& after;
  };

  // From `start` on the rulesets and rules of `rules` are in force. They run at once, unless they
  // do what those of `start` do.
  static Result<RulesRehearsal> begin(const State& start, const Catalog& rules);

  // The state here that an import is planned on which the history planned on `before`: all but its
  // graph and its rules is as it was then.
  State base(const State& before) const;
  // The record here that is this one of the history; nothing where there is none.
  std::optional<RecordId> counterpart(const Graph& history, RecordId id) const;

  // ---- one of these for each transaction, in order ----
  // An import, which on base() came to `planned`.
  Status import(const Happened& happened, const Transaction& planned);
  // An import that would have been refused, so that nothing changes here.
  void refuse(const Happened& happened);
  Status carry_over(const Happened& happened);

  const Graph& graph() const { return graph_; }
  // From the graph of the history to this one, of the elements alone that the last step or the
  // beginning changed in either.
  Difference difference_after_step(const Graph& history) const;
  // What was not carried over because what it is about is not here, or must not be so here: records
  // and values.
  std::uint64_t left_out() const { return left_out_; }

 private:
  RulesRehearsal(const State& start, const Catalog& rules);
  void begin_step(const Happened& happened);
  void note(const Transaction& transaction, std::span<const RecordChange> noted);
  Status apply_here(const State& base, const Transaction& transaction,
                    std::span<const RecordChange> noted = {});
  Status carry_records(const Happened& happened);
  Status run_rules(const State& now);

  Graph graph_;
  Table<Ruleset> rulesets_;
  Table<Rule> rules_;
  RecordId first_own_;     // identities from here on name others here than in the history
  bool in_force_ = false;  // the history has the same rules
  std::vector<ElementName> touched_;
  std::uint64_t left_out_ = 0;
};

}  // namespace netml::engine
