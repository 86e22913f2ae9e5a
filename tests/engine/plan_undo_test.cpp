// Goal: an undo reverts what still is as its transaction left it, and tells and leaves what was
// overwritten since (docs/requirements/command-line.md, "Undo"). Method: manual edits on small
// states; what is left is compared field by field.
#include "engine/undo/plan_undo.hpp"

#include <gtest/gtest.h>

#include "engine/edit/plan_edit.hpp"
#include "engine/edit/plan_records.hpp"
#include "engine/import/plan_polls.hpp"
#include "engine/rules/plan_rules.hpp"
#include "engine/transaction/entry_changes.hpp"

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
  // A transaction, and the graph that it was applied to.
  struct Committed : Transaction {
    Graph before;
  };
  Committed commit(Result<Transaction> planned) {
    EXPECT_TRUE(planned.has_value()) << planned.error().message;
    auto after = apply(state_, *planned, state_.lsn.next());
    EXPECT_TRUE(after.has_value()) << after.error().message;
    Committed committed{std::move(*planned), state_.graph};
    state_ = std::move(*after);
    return committed;
  }
  struct Made {
    RecordId id;
    Committed transaction;
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
  Committed update(RecordId id, const RecordEdit& edit) {
    return commit(plan_record_update(state_, id, edit));
  }
  Committed remove(RecordId id) { return commit(plan_record_delete(state_, id)); }
  Committed set(const std::string& name, const std::string& value) {
    return commit(plan_setting_set(state_, name, value));
  }

  UndoPlan undo(const Committed& undone, UndoForce force = UndoForce::leave_conflicts) {
    UndoPlan plan = plan_undo(state_, undone, undone.before, force);
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
  const Committed renamed = update(n, named("second"));
  RecordEdit address;
  address.unlocode = "CAHAL";
  update(n, address);
  EXPECT_EQ(undo(renamed).conflict_count, 0U);
  EXPECT_EQ(name(n), "n");
  EXPECT_EQ(state_.graph.attributes(n).unlocode(), "CAHAL");
}

TEST_F(UndoTest, TellsAFieldOverwrittenSinceAndLeavesItUnlessForced) {
  const RecordId n = node("n", topology("t"));
  const Committed renamed = update(n, named("second"));
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
  const Committed changed = update(n, second);
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
  const Committed move = update(n, in({b}));
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
  const Committed deleted = remove(t);
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
  const Committed deleted = remove(l);
  remove(a);
  const UndoPlan plan = undo(deleted, UndoForce::overwrite);
  ASSERT_EQ(plan.conflicts.size(), 1U);
  EXPECT_FALSE(plan.conflicts[0].forced);
  EXPECT_FALSE(exists(l));
}

TEST_F(UndoTest, DoesNotBringBackWhatWasMadeAgainUnlessForced) {
  const RecordId t = topology("t");
  const RecordId n = node("n", t);
  const Committed deleted = remove(n);
  node("n", t);
  EXPECT_EQ(undo(deleted).conflict_count, 1U);
  EXPECT_EQ(state_.graph.find(Kind::node, "n").size(), 1U);
  undo(deleted, UndoForce::overwrite);
  EXPECT_EQ(state_.graph.find(Kind::node, "n").size(), 2U);
}

TEST_F(UndoTest, DoesNotBringBackWhatAnotherUndoBroughtBackUnlessForced) {
  const RecordId t = topology("t");
  const Committed first = remove(node("n", t));
  const Committed second = remove(node("n", t));
  EXPECT_EQ(undo(first).conflict_count, 0U);
  const UndoPlan left = undo(second);
  ASSERT_EQ(left.conflicts.size(), 1U);
  EXPECT_EQ(left.conflicts[0].identifier, "n");
  EXPECT_EQ(state_.graph.find(Kind::node, "n").size(), 1U);
  EXPECT_EQ(undo(second, UndoForce::overwrite).forced_count, 1U);
  EXPECT_EQ(state_.graph.find(Kind::node, "n").size(), 2U);
}

TEST_F(UndoTest, DoesNotGiveAnIdentifierBackThatAnotherOneHasNowUnlessForced) {
  const RecordId t = topology("t");
  const RecordId n = node("n", t);
  RecordEdit other;
  other.id = "m";
  other.name = "second";
  const Committed renamed = update(n, other);
  node("n", t);
  const UndoPlan left = undo(renamed);
  ASSERT_EQ(left.conflicts.size(), 1U);
  EXPECT_EQ(left.conflicts[0].field, "id");
  EXPECT_EQ(left.conflicts[0].wanted, FieldValue("n"));
  EXPECT_EQ(left.conflicts[0].now, FieldValue("m"));
  EXPECT_EQ(state_.graph.attributes(n).id(), "m");
  EXPECT_EQ(name(n), "n") << "the rest goes back";
  undo(renamed, UndoForce::overwrite);
  EXPECT_EQ(state_.graph.find(Kind::node, "n").size(), 2U);
}

TEST_F(UndoTest, DoesNotBringAnElementBackBesideTheOneThatTookItsIdentifierOver) {
  const RecordId t = topology("t");
  const RecordId old = node("n", t);
  const RecordId other = node("m", t);
  Committed replaced = remove(old);
  RecordEdit edit;
  edit.id = "n";
  const Committed renamed = update(other, edit);
  replaced.records.insert(replaced.records.end(), renamed.records.begin(), renamed.records.end());
  RecordEdit since;
  since.name = "since";
  update(other, since);
  EXPECT_EQ(undo(replaced).conflict_count, 0U) << "both go back at once";
  EXPECT_EQ(state_.graph.attributes(other).id(), "m");
  EXPECT_TRUE(exists(old));
}

TEST_F(UndoTest, BringsBackElementsThatHadOneIdentifierSideBySide) {
  const RecordId t = topology("t");
  const RecordId first = node("n", t);
  const RecordId second = node("n", t);
  const Committed deleted = remove(first);
  EXPECT_EQ(undo(deleted).conflict_count, 0U);
  EXPECT_TRUE(exists(first) && exists(second));
}

TEST_F(UndoTest, RefusesOneEndOfALinkAlone) {
  const RecordId t = topology("t");
  const RecordId a = node("a", t);
  const RecordId b = node("b", t);
  const RecordId c = node("c", t);
  const RecordId d = node("d", t);
  const RecordId l = link("l", t, a, b);
  RecordEdit elsewhere;
  elsewhere.end_a = c;
  elsewhere.end_b = d;
  const Committed changed = update(l, elsewhere);
  remove(b);
  for (const UndoForce force : {UndoForce::leave_conflicts, UndoForce::overwrite}) {
    const UndoPlan plan = undo(changed, force);
    ASSERT_EQ(plan.conflicts.size(), 1U);
    EXPECT_EQ(plan.conflicts[0].field, "ends");
    EXPECT_FALSE(plan.conflicts[0].forced);
    EXPECT_TRUE(std::ranges::equal(state_.graph.relations(l).ends(), std::vector{c, d}));
  }
}

TEST_F(UndoTest, GivesBothEndsOfALinkBackOrNone) {
  const RecordId t = topology("t");
  const RecordId a = node("a", t);
  const RecordId b = node("b", t);
  const RecordId c = node("c", t);
  const RecordId l = link("l", t, a, b);
  RecordEdit first;
  first.end_a = c;
  const Committed changed = update(l, first);
  RecordEdit since;
  since.end_b = a;
  update(l, since);
  EXPECT_EQ(undo(changed).conflict_count, 1U);
  EXPECT_TRUE(std::ranges::equal(state_.graph.relations(l).ends(), std::vector{c, a}));
  EXPECT_EQ(undo(changed, UndoForce::overwrite).forced_count, 1U);
  EXPECT_TRUE(std::ranges::equal(state_.graph.relations(l).ends(), std::vector{a, b}));
}

TEST_F(UndoTest, GivesTheWholeLifetimeBackOrNothingOfIt) {
  const auto lasting = [](std::optional<Instant> start, std::optional<Instant> end) {
    RecordEdit edit;
    if (start) edit.start = start;
    if (end) edit.end = end;
    return edit;
  };
  const RecordId n = node("n", topology("t"));
  const Committed changed = update(n, lasting(Instant{2020}, Instant{2021}));
  update(n, lasting({}, Instant{2022}));
  const auto& attributes = [&]() -> const Attributes& { return state_.graph.attributes(n); };
  const UndoPlan left = undo(changed);
  ASSERT_EQ(left.conflicts.size(), 2U);
  EXPECT_EQ(left.conflicts[0].field, "start");
  EXPECT_EQ(left.conflicts[1].field, "end");
  EXPECT_EQ(attributes().start(), Instant{2020});
  EXPECT_EQ(attributes().end(), Instant{2022});
  const UndoPlan forced = undo(changed, UndoForce::overwrite);
  EXPECT_EQ(forced.forced_count, 2U);
  EXPECT_EQ(attributes().start(), std::nullopt);
  EXPECT_EQ(attributes().end(), std::nullopt);
}

TEST_F(UndoTest, NeverBringsBackATopologyWhoseIdentifierIsTaken) {
  topology("root");
  const RecordId t = topology("t");
  const Committed deleted = remove(t);
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
  EXPECT_FALSE(exists(l)) << "a link is deleted with its node";
  EXPECT_TRUE(exists(a));
}

TEST_F(UndoTest, LeavesTheMainTopologyThatWasMarkedSince) {
  const RecordId a = topology("a");
  const RecordId b = topology("b");
  const RecordId c = topology("c");
  RecordEdit main;
  main.main = true;
  const Committed marked = update(b, main);
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
  Committed swapped = commit(plan_record_update(state_, b, below(RecordId{})));
  const Committed second = commit(plan_record_update(state_, a, below(b)));
  swapped.records.insert(swapped.records.begin(), second.records.begin(), second.records.end());
  EXPECT_EQ(undo(swapped).conflict_count, 0U);
  EXPECT_EQ(state_.graph.relations(b).parent(), a);
  EXPECT_FALSE(state_.graph.relations(a).parent());
}

TEST_F(UndoTest, NeverPutsATopologyBelowItself) {
  const RecordId a = topology("a");
  const RecordId b = topology("b", a);
  const Committed freed = commit(plan_record_update(state_, b, below(RecordId{})));
  commit(plan_record_update(state_, a, below(b)));
  EXPECT_EQ(undo(freed, UndoForce::overwrite).conflict_count, 1U);
  EXPECT_EQ(state_.graph.relations(a).parent(), b);
  EXPECT_FALSE(state_.graph.relations(b).parent());
}

// ---- the catalog ----

TEST_F(UndoTest, TakesBackSettingsThatNobodyChangedSince) {
  set("A", "1");
  const Committed second = set("A", "2");
  const Committed other = set("B", "1");
  EXPECT_EQ(undo(second).conflict_count, 0U);
  EXPECT_EQ(setting(state_.catalog, "A"), "1");
  EXPECT_EQ(undo(other).conflict_count, 0U);
  EXPECT_EQ(setting(state_.catalog, "B"), std::nullopt);
}

TEST_F(UndoTest, LeavesASettingThatWasChangedSinceUnlessForced) {
  set("A", "1");
  const Committed second = set("A", "2");
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
  const Committed moved = commit(plan_source_update(state_, 1, source));
  EXPECT_EQ(undo(moved).conflict_count, 0U);
  EXPECT_EQ(state_.catalog.sources.find(1)->hostname, "old.example.org");
}

TEST_F(UndoTest, LeavesOneOfTwoEntriesWithOneName) {
  set("A", "1");
  const Committed reset = commit(plan_setting_reset(state_, "A"));
  set("A", "2");
  const UndoPlan plan = undo(reset, UndoForce::overwrite);
  EXPECT_EQ(plan.conflict_count, 1U);
  EXPECT_EQ(setting(state_.catalog, "A"), "2");
  EXPECT_EQ(state_.catalog.settings.count(), 1U);
}

TEST_F(UndoTest, KeepsARulesetWithRulesThatCameSinceUnlessForced) {
  const Committed made = commit(plan_ruleset_put(state_, 0, Ruleset{"R", true, 0}));
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
  const Committed made = commit(plan_ruleset_put(state_, 0, Ruleset{"R", true, 0}));
  Rule rule;
  rule.ruleset = made.rulesets.front().number;
  rule.name = "r";
  const Committed ruled = commit(plan_rule_put(state_, 0, rule));
  const Committed deleted = commit(plan_rule_delete(state_, ruled.rules.front().number));
  commit(plan_ruleset_delete(state_, rule.ruleset));
  EXPECT_EQ(undo(deleted, UndoForce::overwrite).conflict_count, 1U);
  EXPECT_EQ(state_.catalog.rules.count(), 0U);
}

TEST_F(UndoTest, KeepsTheRecordOfTheImport) {
  Transaction transaction = empty_transaction(state_);
  add_entry(transaction, state_, ImportRecord{});
  const Committed imported = commit(transaction);
  const UndoPlan plan = undo(imported);
  EXPECT_TRUE(plan.transaction.empty());
  EXPECT_EQ(plan.conflict_count, 0U);
  EXPECT_EQ(state_.catalog.imports.count(), 1U);
}

TEST_F(UndoTest, DoesNotTakeBackPublishing) {
  PublishedItem item;
  item.name = "Spring";
  const Committed published = commit(entry_added(state_, item));
  const UndoPlan plan = undo(published, UndoForce::overwrite);
  EXPECT_EQ(plan.conflict_count, 1U);
  EXPECT_TRUE(plan.transaction.empty());
}

}  // namespace
}  // namespace netml::engine
