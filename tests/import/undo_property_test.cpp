// Whatever was done, and whatever was done since: an undo leaves a graph that is whole, reverts
// nothing but what its transaction did, and can be reverted itself (docs/undo.md).
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "engine/edit/plan_records.hpp"
#include "engine/undo/plan_undo.hpp"
#include "tests/support/content_lines.hpp"
#include "tests/support/import_harness.hpp"
#include "tests/support/random_history.hpp"

namespace netml::test {
namespace {

using engine::RecordEdit;
using engine::State;
using engine::Transaction;
using engine::UndoForce;
using engine::UndoPlan;

// Numbers apart, which also order the lines of records that share an identifier.
void expect_same_lines(const State& a, const State& b) {
  Texts left = content_lines(a.graph);
  Texts right = content_lines(b.graph);
  std::ranges::sort(left);
  std::ranges::sort(right);
  const std::string differs = difference(left, right);
  if (!differs.empty()) RC_FAIL(differs);
}
void expect_same_content(const State& a, const State& b) {
  expect_same_lines(a, b);
  RC_ASSERT(a.graph.content_digest() == b.graph.content_digest());
}

// Beyond the references, which apply() checks.
void expect_whole(const State& before, const State& after) {
  const auto& graph = after.graph;
  std::set<std::string> identifiers;
  for (const RecordId id : graph.children(RecordId{})) RC_ASSERT(graph.contains(id));
  graph.for_each_record([&](RecordId id) {
    const engine::Relations& relations = graph.relations(id);
    RC_ASSERT(graph.attributes(id).start() || !graph.attributes(id).end());
    if (graph.kind(id) == Kind::link) RC_ASSERT(relations.ends()[0] != relations.ends()[1]);
    if (graph.kind(id) != Kind::topology) return;
    RC_ASSERT(identifiers.emplace(graph.attributes(id).id()).second);
    RecordId above = relations.parent();
    for (std::uint64_t steps = 0; above; above = graph.relations(above).parent())
      RC_ASSERT(++steps <= graph.size());
  });
  RC_ASSERT(graph.mains().size() <= std::max<std::size_t>(1, before.graph.mains().size()));
}

std::string reported(const UndoPlan& undo) {
  std::string text;
  for (const engine::UndoConflict& conflict : undo.conflicts)
    text += conflict.kind + ' ' + conflict.identifier + ' ' + conflict.field + ": " +
            conflict.reason + '\n';
  return text;
}

RC_GTEST_PROP(Undo, OfTheNewestTransactionGivesTheStateBefore, ()) {
  const std::vector<Step> history = random_history(6);
  const Step& last = history.back();
  const UndoPlan undo = plan_undo(last.after, last.transaction, last.before.graph);
  RC_ASSERT(reported(undo) == "");
  expect_same_content(committed(last.after, undo.transaction), last.before);
}

RC_GTEST_PROP(Undo, OfAnUndoRestoresWhatItTookBack, ()) {
  const std::vector<Step> history = random_history(8);
  const Step& any = history[static_cast<std::size_t>(below(static_cast<int>(history.size())))];
  const State& now = history.back().after;
  for (const UndoForce force : {UndoForce::leave_conflicts, UndoForce::overwrite}) {
    const UndoPlan undo = plan_undo(now, any.transaction, any.before.graph, force);
    const State undone = committed(now, undo.transaction);
    expect_whole(now, undone);
    const UndoPlan again = plan_undo(undone, undo.transaction, now.graph);
    RC_ASSERT(reported(again) == "");
    expect_same_content(committed(undone, again.transaction), now);
  }
}

RC_GTEST_PROP(Undo, ChangesNothingThatItsTransactionDidNotChange, ()) {
  const std::vector<Step> history = random_history(8);
  const Step& any = history[static_cast<std::size_t>(below(static_cast<int>(history.size())))];
  const UndoPlan undo = plan_undo(history.back().after, any.transaction, any.before.graph);
  for (const engine::RecordChange& change : undo.transaction.records)
    RC_ASSERT(std::ranges::find(any.transaction.records, change.id, &engine::RecordChange::id) !=
              any.transaction.records.end());
  const State undone = committed(history.back().after, undo.transaction);
  RC_ASSERT(plan_undo(undone, any.transaction, any.before.graph).transaction.records.empty());
}

RC_GTEST_PROP(Undo, LeavesWhatUnrelatedTransactionsDidSince, ()) {
  const std::vector<Step> history = random_history(4);
  const Step& last = history.back();
  const auto with_others = [](State state) {
    for (const char* id : {"a", "b"}) {
      RecordEdit topology;
      topology.id = std::string("other ") + id;
      topology.name = topology.id;
      auto made = engine::plan_record_create(state, Kind::topology, topology);
      RC_ASSERT(made.has_value());
      state = committed(state, made->transaction);
      RecordEdit node;
      node.id = std::string("other node ") + id;
      node.name = node.id;
      node.topologies = std::vector{made->id};
      made = engine::plan_record_create(state, Kind::node, node);
      RC_ASSERT(made.has_value());
      state = committed(state, made->transaction);
    }
    return state;
  };
  RC_PRE(last.before.graph.count(Kind::topology) > 0U &&
         last.after.graph.count(Kind::topology) > 0U);
  const State now = with_others(last.after);
  const UndoPlan undo = plan_undo(now, last.transaction, last.before.graph);
  RC_ASSERT(reported(undo) == "");
  expect_same_lines(committed(now, undo.transaction), with_others(last.before));
}

}  // namespace
}  // namespace netml::test
