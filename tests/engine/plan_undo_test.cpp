// Goal: an undo takes back what still is as its transaction left it, and tells and leaves what was
// overwritten since (cli.md, `undo`).
// Method: edits by hand on small states; what is left is compared field by field.
#include "engine/plan_undo.hpp"

#include <gtest/gtest.h>

#include "engine/plan_edit.hpp"
#include "engine/plan_records.hpp"
#include "engine/plan_rules.hpp"
#include "engine/plan_sources.hpp"

namespace netml::engine {
namespace {

RecordEdit named(const std::string& name) {
  RecordEdit edit;
  edit.name = name;
  return edit;
}
RecordEdit in(std::vector<RecordId> topologies) {
  RecordEdit edit;
  edit.topologies = std::move(topologies);
  return edit;
}
RecordEdit below(RecordId parent) {
  RecordEdit edit;
  edit.parent = parent;
  return edit;
}

class UndoTest : public testing::Test {
 protected:
  // A transaction on the state now, which it leads to the next one.
  Transaction commit(Result<Transaction> planned) {
    EXPECT_TRUE(planned.has_value()) << planned.error().message;
    auto after = apply(state_, *planned, state_.lsn.next());
    EXPECT_TRUE(after.has_value()) << after.error().message;
    state_ = std::move(*after);
    return std::move(*planned);
  }
  struct Made {
    RecordId id;
    Transaction transaction;
  };
  Made create(Kind kind, const std::string& id, RecordEdit edit = {}) {
    edit.id = id;
    edit.name = id;
    auto planned = plan_record_create(state_, kind, edit);
    EXPECT_TRUE(planned.has_value()) << planned.error().message;
    return {planned->id, commit(std::move(planned->transaction))};
  }
  RecordId topology(const std::string& id, RecordId parent = {}) {
    return create(Kind::topology, id, below(parent)).id;
  }
  RecordId node(const std::string& id, RecordId topology) {
    return create(Kind::node, id, in({topology})).id;
  }
  RecordId link(const std::string& id, RecordId topology, RecordId a, RecordId b) {
    RecordEdit edit;
    edit.topologies = {topology};
    edit.end_a = a;
    edit.end_b = b;
    return create(Kind::link, id, edit).id;
  }
  Transaction update(RecordId id, const RecordEdit& edit) {
    return commit(plan_record_update(state_, id, edit));
  }
  Transaction remove(RecordId id) { return commit(plan_record_delete(state_, id)); }
  Transaction set(const std::string& name, const std::string& value) {
    return commit(plan_setting_set(state_, name, value));
  }

  UndoPlan undo(const Transaction& undone, UndoForce force = UndoForce::leave_conflicts) {
    UndoPlan plan = plan_undo(state_, undone, force);
    commit(plan.transaction);
    return plan;
  }

  std::string_view name(RecordId id) const { return state_.graph.attributes(id).name(); }
  std::vector<RecordId> topologies(RecordId id) const {
    const auto ids = state_.graph.relations(id).topologies();
    return {ids.begin(), ids.end()};
  }
  bool exists(RecordId id) const { return state_.graph.contains(id); }

  State state_;
};

TEST_F(UndoTest, TakesBackOneFieldAndKeepsWhatOthersDid) {
  const RecordId t = topology("t");
  const RecordId n = node("n", t);
  const Transaction renamed = update(n, named("second"));
  RecordEdit address;
  address.unlocode = "CAHAL";
  update(n, address);
  EXPECT_EQ(undo(renamed).conflict_count, 0U);
  EXPECT_EQ(name(n), "n");
  EXPECT_EQ(state_.graph.attributes(n).unlocode(), "CAHAL");
}

TEST_F(UndoTest, TellsAFieldOverwrittenSinceAndLeavesItUnlessForced) {
  const RecordId n = node("n", topology("t"));
  const Transaction renamed = update(n, named("second"));
  update(n, named("third"));
  const UndoPlan left = undo(renamed);
  ASSERT_EQ(left.conflicts.size(), 1U);
  EXPECT_EQ(left.conflicts[0].kind, "Node");
  EXPECT_EQ(left.conflicts[0].identifier, "n");
  EXPECT_EQ(left.conflicts[0].field, "name");
  EXPECT_EQ(left.conflicts[0].wanted, FieldValue("n"));
  EXPECT_EQ(left.conflicts[0].now, FieldValue("third"));
  EXPECT_TRUE(left.transaction.empty());
  EXPECT_EQ(name(n), "third");
  const UndoPlan forced = undo(renamed, UndoForce::overwrite);
  EXPECT_EQ(forced.conflict_count, 1U);
  EXPECT_EQ(forced.forced_count, 1U);
  EXPECT_EQ(name(n), "n");
}

TEST_F(UndoTest, TakesBackPropertiesNameByName) {
  const RecordId n = node("n", topology("t"));
  RecordEdit first;
  first.properties = {{"a", "1"}, {"b", "1"}};
  update(n, first);
  RecordEdit second;
  second.properties = {{"a", "2"}, {"b", "2"}};
  const Transaction changed = update(n, second);
  RecordEdit since;
  since.properties = {{"a", "2"}, {"b", "3"}, {"c", "3"}};
  update(n, since);
  const UndoPlan plan = undo(changed);
  ASSERT_EQ(plan.conflict_count, 1U);
  EXPECT_EQ(plan.conflicts[0].wanted, FieldValue(std::vector<std::string>{"b=1"}));
  const std::vector<Property> expected{{"a", "1"}, {"b", "3"}, {"c", "3"}};
  EXPECT_EQ(state_.graph.attributes(n).properties(), expected);
}

TEST_F(UndoTest, TakesBackMembershipsOneByOne) {
  const RecordId a = topology("a");
  const RecordId b = topology("b");
  const RecordId c = topology("c");
  const RecordId n = node("n", a);
  const Transaction move = update(n, in({b}));
  update(n, in({b, c}));
  EXPECT_EQ(undo(move).conflict_count, 0U);
  EXPECT_EQ(topologies(n), (std::vector{a, c}));
}

TEST_F(UndoTest, BringsADeletedTopologyBackWithAllThatFell) {
  const RecordId root = topology("root");
  const RecordId t = topology("t", root);
  const RecordId sub = topology("sub", t);
  const RecordId a = node("a", sub);
  const RecordId b = node("b", root);
  const RecordId l = link("l", sub, a, b);
  const Digest before = state_.graph.content_digest();
  const Transaction deleted = remove(t);
  ASSERT_FALSE(exists(l));
  EXPECT_EQ(undo(deleted).conflict_count, 0U);
  EXPECT_EQ(state_.graph.content_digest(), before);
  EXPECT_GT(state_.graph.number(l), state_.graph.number(b)) << "what comes back is new";
}

TEST_F(UndoTest, DoesNotBringALinkBackWithoutItsNodes) {
  const RecordId t = topology("t");
  const RecordId a = node("a", t);
  const RecordId b = node("b", t);
  const RecordId l = link("l", t, a, b);
  const Transaction deleted = remove(l);
  remove(a);
  const UndoPlan plan = undo(deleted, UndoForce::overwrite);
  ASSERT_EQ(plan.conflicts.size(), 1U);
  EXPECT_FALSE(plan.conflicts[0].forced);
  EXPECT_FALSE(exists(l));
}

TEST_F(UndoTest, DoesNotBringBackWhatWasMadeAgainUnlessForced) {
  const RecordId t = topology("t");
  const RecordId n = node("n", t);
  const Transaction deleted = remove(n);
  node("n", t);
  EXPECT_EQ(undo(deleted).conflict_count, 1U);
  EXPECT_EQ(state_.graph.find(Kind::node, "n").size(), 1U);
  undo(deleted, UndoForce::overwrite);
  EXPECT_EQ(state_.graph.find(Kind::node, "n").size(), 2U);
}

TEST_F(UndoTest, NeverBringsBackATopologyWhoseIdentifierIsTaken) {
  topology("root");
  const RecordId t = topology("t");
  const Transaction deleted = remove(t);
  topology("t");
  EXPECT_EQ(undo(deleted, UndoForce::overwrite).conflict_count, 1U);
  EXPECT_FALSE(exists(t));
}

TEST_F(UndoTest, LeavesACreatedElementThatOthersNeedUnlessForced) {
  const RecordId t = topology("t");
  const RecordId a = node("a", t);
  const Made b = create(Kind::node, "b", in({t}));
  const RecordId l = link("l", t, a, b.id);
  const UndoPlan left = undo(b.transaction);
  ASSERT_EQ(left.conflicts.size(), 1U);
  EXPECT_NE(left.conflicts[0].reason.find("Link l"), std::string::npos);
  EXPECT_TRUE(exists(b.id));
  undo(b.transaction, UndoForce::overwrite);
  EXPECT_FALSE(exists(b.id));
  EXPECT_FALSE(exists(l)) << "a link falls with its node";
  EXPECT_TRUE(exists(a));
}

TEST_F(UndoTest, LeavesTheMainTopologyThatWasMarkedSince) {
  const RecordId a = topology("a");
  const RecordId b = topology("b");
  const RecordId c = topology("c");
  RecordEdit main;
  main.main = true;
  const Transaction marked = update(b, main);
  update(c, main);
  const UndoPlan left = undo(marked);
  EXPECT_EQ(left.conflict_count, 1U);
  EXPECT_EQ(state_.graph.mains(), std::vector{c});
  undo(marked, UndoForce::overwrite);
  EXPECT_EQ(state_.graph.mains(), std::vector{a});
}

TEST_F(UndoTest, GivesTwoTopologiesTheirOldPlacesAtOnce) {
  const RecordId a = topology("a");
  const RecordId b = topology("b", a);
  Transaction swapped = commit(plan_record_update(state_, b, below(RecordId{})));
  const Transaction second = commit(plan_record_update(state_, a, below(b)));
  swapped.records.insert(swapped.records.begin(), second.records.begin(), second.records.end());
  EXPECT_EQ(undo(swapped).conflict_count, 0U);
  EXPECT_EQ(state_.graph.relations(b).parent(), a);
  EXPECT_FALSE(state_.graph.relations(a).parent());
}

TEST_F(UndoTest, NeverPutsATopologyBelowItself) {
  const RecordId a = topology("a");
  const RecordId b = topology("b", a);
  const Transaction freed = commit(plan_record_update(state_, b, below(RecordId{})));
  commit(plan_record_update(state_, a, below(b)));
  EXPECT_EQ(undo(freed, UndoForce::overwrite).conflict_count, 1U);
  EXPECT_EQ(state_.graph.relations(a).parent(), b);
  EXPECT_FALSE(state_.graph.relations(b).parent());
}

// ---- the catalog ----

TEST_F(UndoTest, TakesBackSettingsThatNobodyChangedSince) {
  set("A", "1");
  const Transaction second = set("A", "2");
  const Transaction other = set("B", "1");
  EXPECT_EQ(undo(second).conflict_count, 0U);
  EXPECT_EQ(setting(state_.catalog, "A"), "1");
  EXPECT_EQ(undo(other).conflict_count, 0U);
  EXPECT_EQ(setting(state_.catalog, "B"), std::nullopt);
}

TEST_F(UndoTest, LeavesASettingThatWasChangedSinceUnlessForced) {
  set("A", "1");
  const Transaction second = set("A", "2");
  set("A", "3");
  EXPECT_EQ(undo(second).conflict_count, 1U);
  EXPECT_EQ(setting(state_.catalog, "A"), "3");
  EXPECT_EQ(undo(second, UndoForce::overwrite).forced_count, 1U);
  EXPECT_EQ(setting(state_.catalog, "A"), "1");
}

TEST_F(UndoTest, TakesBackAChangeOfASource) {
  PollingSource source;
  source.name = "peer";
  source.hostname = "old.example.org";
  commit(plan_source_create(state_, source));
  source.hostname = "new.example.org";
  const Transaction moved = commit(plan_source_update(state_, 1, source));
  EXPECT_EQ(undo(moved).conflict_count, 0U);
  EXPECT_EQ(state_.catalog.sources.find(1)->hostname, "old.example.org");
}

TEST_F(UndoTest, LeavesOneOfTwoEntriesWithOneName) {
  set("A", "1");
  const Transaction reset = commit(plan_setting_reset(state_, "A"));
  set("A", "2");
  const UndoPlan plan = undo(reset, UndoForce::overwrite);
  EXPECT_EQ(plan.conflict_count, 1U);
  EXPECT_EQ(setting(state_.catalog, "A"), "2");
  EXPECT_EQ(state_.catalog.settings.count(), 1U);
}

TEST_F(UndoTest, KeepsARulesetWithRulesThatCameSinceUnlessForced) {
  const Transaction made = commit(plan_ruleset_put(state_, 0, Ruleset{"R", true, 0}));
  const std::uint64_t ruleset = made.rulesets.front().number;
  Rule rule;
  rule.ruleset = ruleset;
  rule.name = "r";
  commit(plan_rule_put(state_, 0, rule));
  EXPECT_EQ(undo(made).conflict_count, 1U);
  EXPECT_EQ(state_.catalog.rulesets.count(), 1U);
  undo(made, UndoForce::overwrite);
  EXPECT_EQ(state_.catalog.rulesets.count(), 0U);
  EXPECT_EQ(state_.catalog.rules.count(), 0U);
}

TEST_F(UndoTest, LeavesARuleWithoutItsRuleset) {
  const Transaction made = commit(plan_ruleset_put(state_, 0, Ruleset{"R", true, 0}));
  Rule rule;
  rule.ruleset = made.rulesets.front().number;
  rule.name = "r";
  const Transaction ruled = commit(plan_rule_put(state_, 0, rule));
  const Transaction deleted = commit(plan_rule_delete(state_, ruled.rules.front().number));
  commit(plan_ruleset_delete(state_, rule.ruleset));
  EXPECT_EQ(undo(deleted, UndoForce::overwrite).conflict_count, 1U);
  EXPECT_EQ(state_.catalog.rules.count(), 0U);
}

TEST_F(UndoTest, KeepsTheRecordOfTheImport) {
  Transaction transaction = empty_transaction(state_);
  add_import_record(transaction, state_, ImportRecord{});
  const Transaction imported = commit(transaction);
  const UndoPlan plan = undo(imported);
  EXPECT_TRUE(plan.transaction.empty());
  EXPECT_EQ(plan.conflict_count, 0U);
  EXPECT_EQ(state_.catalog.imports.count(), 1U);
}

TEST_F(UndoTest, DoesNotTakeBackPublishing) {
  PublishedItem item;
  item.name = "Spring";
  const Transaction published = commit(plan_publish(state_, item));
  const UndoPlan plan = undo(published, UndoForce::overwrite);
  EXPECT_EQ(plan.conflict_count, 1U);
  EXPECT_TRUE(plan.transaction.empty());
}

}  // namespace
}  // namespace netml::engine
