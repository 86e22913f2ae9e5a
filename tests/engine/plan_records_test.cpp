// Goal: manual changes of single records keep what docs/requirements/importing.md promises of the
// store: sections 1.3 (constraints) and 1.4 (what deletion takes along). Method: plans are applied
// to small states; what is left is compared by identifier.
#include "engine/edit/plan_records.hpp"

#include <gtest/gtest.h>

#include <set>

#include "engine/edit/plan_edit.hpp"
#include "tests/support/transaction_builder.hpp"

namespace netml::engine {
namespace {

using netml::testing::TransactionBuilder;

class Store {
 public:
  const State& state() const { return state_; }
  const Graph& graph() const { return state_.graph; }

  Result<RecordId> create(Kind kind, const RecordEdit& edit) {
    NETML_TRY(RecordCreation creation, plan_record_create(state_, kind, edit));
    NETML_TRY_VOID(commit(creation.transaction));
    return creation.id;
  }
  Status update(RecordId id, const RecordEdit& edit) {
    NETML_TRY(const Transaction transaction, plan_record_update(state_, id, edit));
    return commit(transaction);
  }
  Status remove(RecordId id) {
    NETML_TRY(const Transaction transaction, plan_record_delete(state_, id));
    return commit(transaction);
  }
  Status commit(const Transaction& transaction) {
    NETML_TRY(state_, apply(state_, transaction, state_.lsn.next()));
    return {};
  }

  std::set<std::string> ids() const {
    std::set<std::string> all;
    graph().for_each_record(
        [&](RecordId id) { all.insert(std::string(graph().attributes(id).id())); });
    return all;
  }

 private:
  State state_;
};

RecordEdit named(const std::string& id) {
  RecordEdit edit;
  edit.id = id;
  edit.name = id;
  return edit;
}

RecordEdit in(RecordEdit edit, std::vector<RecordId> topologies) {
  edit.topologies = std::move(topologies);
  return edit;
}

RecordEdit between(RecordEdit edit, RecordId a, RecordId b) {
  edit.end_a = a;
  edit.end_b = b;
  return edit;
}

RecordId made(Result<RecordId> result) {
  EXPECT_TRUE(result.has_value()) << result.error().message;
  return result.value_or(RecordId{});
}

// Root P with an institution, two nodes and a link; C below it shares node b and has node c.
class PlanRecords : public ::testing::Test {
 protected:
  PlanRecords() {
    p = made(store.create(Kind::topology, named("P")));
    RecordEdit below = named("C");
    below.parent = p;
    c = made(store.create(Kind::topology, below));
    owner = made(store.create(Kind::institution, in(named("i"), {p})));
    RecordEdit edit = in(named("a"), {p});
    edit.owners = std::vector{owner};
    node_a = made(store.create(Kind::node, edit));
    node_b = made(store.create(Kind::node, in(named("b"), {p, c})));
    node_c = made(store.create(Kind::node, in(named("c"), {c})));
    link = made(store.create(Kind::link, between(in(named("a-b"), {p}), node_b, node_a)));
  }

  void expect_refused(const Status& status, Errc code, const std::string& field) {
    ASSERT_FALSE(status.has_value());
    EXPECT_EQ(status.error().code, code);
    EXPECT_EQ(status.error().field, field) << status.error().text();
    EXPECT_EQ(status.error().text(), field + ": " + status.error().message);
  }
  void expect_refused(const Result<RecordId>& result, Errc code, const std::string& field) {
    ASSERT_FALSE(result.has_value());
    expect_refused(Status(tl::make_unexpected(result.error())), code, field);
  }

  Store store;
  RecordId p, c, owner, node_a, node_b, node_c, link;
};

TEST_F(PlanRecords, TheFirstTopologyIsMainAndOnlyOneIs) {
  EXPECT_EQ(store.graph().mains(), std::vector{p});
  RecordEdit edit;
  edit.main = true;
  ASSERT_TRUE(store.update(c, edit).has_value());
  EXPECT_EQ(store.graph().mains(), std::vector{c});
  RecordEdit another = named("D");
  another.main = true;
  const RecordId d = made(store.create(Kind::topology, another));
  EXPECT_EQ(store.graph().mains(), std::vector{d});
}

TEST_F(PlanRecords, AnEndWithoutAStartIsRefusedOnTheEnd) {
  RecordEdit ended;
  ended.end.emplace(Instant{2});  // g++ 12 sees a value unset in "=", under the sanitizer
  expect_refused(store.update(node_a, ended), Errc::invalid_input, "end");
  RecordEdit made_ended = in(named("n"), {p});
  made_ended.end = Instant{2};
  expect_refused(store.create(Kind::node, made_ended), Errc::invalid_input, "end");

  ended.start = Instant{1};
  ASSERT_TRUE(store.update(node_a, ended).has_value());
  RecordEdit without_start;
  without_start.start = std::optional<Instant>();
  expect_refused(store.update(node_a, without_start), Errc::invalid_input, "end");
}

TEST_F(PlanRecords, AnEndWithoutAStartThatIsStoredBarsNoOtherChange) {
  const Record before = store.graph().record(link);
  AttributeFields fields = before.attributes->fields();
  fields.end = Instant{2};
  Transaction older = empty_transaction(store.state());
  older.records.push_back({link, before, {Attributes::make(fields), before.relations}});
  ASSERT_TRUE(store.commit(older).has_value());
  RecordEdit renamed;
  renamed.name = "other";
  EXPECT_TRUE(store.update(link, renamed).has_value());
}

TEST_F(PlanRecords, AnUpdateChangesWhatItNamesAndKeepsTheNumber) {
  const RecordNumber number = store.graph().number(node_a);
  RecordEdit edit;
  edit.short_name = "A";
  edit.latitude = Micro{45'500'000};
  edit.longitude = Micro{-63'000'000};
  edit.added_properties = {{"k", "1"}, {"k", "2"}};
  ASSERT_TRUE(store.update(node_a, edit).has_value());
  const Attributes& after = store.graph().attributes(node_a);
  EXPECT_EQ(after.name(), "a");
  EXPECT_EQ(after.short_name(), "A");
  EXPECT_EQ(after.coordinates(), (Coordinates{{45'500'000}, {-63'000'000}}));
  EXPECT_EQ(after.properties(), (std::vector<Property>{{"k", "1"}, {"k", "2"}}));
  EXPECT_EQ(store.graph().relations(node_a).owners()[0], owner);
  EXPECT_EQ(store.graph().number(node_a), number);
}

TEST_F(PlanRecords, PropertiesAreAddedOrReplaced) {
  RecordEdit add;
  add.added_properties = {{"x", "1"}};
  ASSERT_TRUE(store.update(node_a, add).has_value());
  RecordEdit replace;
  replace.properties = std::vector<TextProperty>{{"y", "2"}};
  replace.added_properties = {{"z", "3"}};
  ASSERT_TRUE(store.update(node_a, replace).has_value());
  EXPECT_EQ(store.graph().attributes(node_a).properties(),
            (std::vector<Property>{{"y", "2"}, {"z", "3"}}));
}

TEST_F(PlanRecords, ALinkKeepsTheOrderOfItsEnds) {
  EXPECT_EQ(store.graph().relations(link).ends()[0], node_b);
  EXPECT_EQ(store.graph().relations(link).ends()[1], node_a);
}

TEST_F(PlanRecords, ALinkEndsAtTwoDifferentNodes) {
  expect_refused(store.create(Kind::link, between(named("l"), node_a, node_a)), Errc::invalid_input,
                 "node_b");
  expect_refused(store.create(Kind::link, between(named("l"), node_a, owner)), Errc::invalid_input,
                 "node_b");
  expect_refused(store.create(Kind::link, named("l")), Errc::invalid_input, "node_a");
  RecordEdit edit;
  edit.end_a = node_a;
  expect_refused(store.update(link, edit), Errc::invalid_input, "node_a");
  edit.end_a = RecordId{};
  const Status without_end = store.update(link, edit);
  expect_refused(without_end, Errc::invalid_input, "node_a");
  EXPECT_NE(without_end.error().message.find("is required"), std::string::npos);
}

TEST_F(PlanRecords, IdentifiersAreUniqueAmongTopologiesAlone) {
  expect_refused(store.create(Kind::topology, named("C")), Errc::conflict, "netml_id");
  RecordEdit edit;
  edit.id = "P";
  expect_refused(store.update(c, edit), Errc::conflict, "netml_id");
  EXPECT_TRUE(store.create(Kind::node, named("P")).has_value());
  EXPECT_TRUE(store.create(Kind::node, named("a")).has_value());
}

TEST_F(PlanRecords, NoTopologyIsItsOwnAncestor) {
  RecordEdit below_itself;
  below_itself.parent = p;
  expect_refused(store.update(p, below_itself), Errc::conflict, "parent");
  RecordEdit below_child;
  below_child.parent = c;
  expect_refused(store.update(p, below_child), Errc::conflict, "parent");
}

TEST_F(PlanRecords, ReferencesLeadToRecordsOfTheRightKind) {
  expect_refused(store.create(Kind::node, in(named("n"), {owner})), Errc::invalid_input,
                 "topologies");
  RecordEdit edit = named("n");
  edit.owners = std::vector{p};
  expect_refused(store.create(Kind::node, edit), Errc::invalid_input, "owners");
  RecordEdit gone;
  gone.owner = RecordId{999};
  expect_refused(store.update(p, gone), Errc::invalid_input, "owner");
}

TEST_F(PlanRecords, TextsThatNoFileCanHoldAreRefused) {
  const auto with = [](auto set) {
    RecordEdit edit = named("n");
    set(edit);
    return edit;
  };
  const std::vector<std::pair<std::string, RecordEdit>> wrong{
      {"netml_id", with([](RecordEdit& e) { e.id = std::string(129, 'x'); })},
      {"name", with([](RecordEdit& e) { e.name = ""; })},
      {"name", with([](RecordEdit& e) { e.name = std::string("a\0b", 3); })},
      {"name", with([](RecordEdit& e) { e.name = "a\xEF\xBF\xBF"; })},
      {"short_name", with([](RecordEdit& e) { e.short_name = std::string(33, 'x'); })},
      {"unlocode", with([](RecordEdit& e) { e.unlocode = "ABCDEF"; })},
      {"address", with([](RecordEdit& e) { e.address = std::string(501, 'x'); })},
      {"longitude", with([](RecordEdit& e) { e.latitude = Micro{1}; })},
      {"latitude", with([](RecordEdit& e) {
         e.latitude = Micro{90'000'001};
         e.longitude = Micro{0};
       })},
      {"longitude", with([](RecordEdit& e) {
         e.latitude = Micro{0};
         e.longitude = Micro{-180'000'001};
       })},
      {"properties",
       with([](RecordEdit& e) { e.added_properties = {{std::string(33, 'x'), ""}}; })},
      {"properties",
       with([](RecordEdit& e) { e.added_properties = {{"x", std::string(513, 'x')}}; })},
  };
  for (const auto& [field, edit] : wrong)
    expect_refused(store.create(Kind::node, edit), Errc::invalid_input, field);
}

TEST_F(PlanRecords, ANodeTakesItsLinksAlong) {
  ASSERT_TRUE(store.remove(node_b).has_value());
  EXPECT_EQ(store.ids(), (std::set<std::string>{"P", "C", "i", "a", "c"}));
}

TEST_F(PlanRecords, AnInstitutionLeavesWhatItOwned) {
  RecordEdit edit;
  edit.owner = owner;
  ASSERT_TRUE(store.update(p, edit).has_value());
  ASSERT_TRUE(store.remove(owner).has_value());
  EXPECT_EQ(store.ids(), (std::set<std::string>{"P", "C", "a", "b", "c", "a-b"}));
  EXPECT_FALSE(store.graph().relations(p).owner());
  EXPECT_TRUE(store.graph().relations(node_a).owners().empty());
}

TEST_F(PlanRecords, ATopologyLeavesWhatBelongsElsewhere) {
  ASSERT_TRUE(store.remove(c).has_value());
  EXPECT_EQ(store.ids(), (std::set<std::string>{"P", "i", "a", "b", "a-b"}));
  EXPECT_EQ(store.graph().relations(node_b).topologies().size(), 1U);
}

TEST_F(PlanRecords, ATopologyTakesThoseBelowAlong) {
  const RecordId other = made(store.create(Kind::topology, named("Q")));
  made(store.create(Kind::node, in(named("q"), {other})));
  made(store.create(Kind::node, named("loose")));
  ASSERT_TRUE(store.remove(p).has_value());
  EXPECT_EQ(store.ids(), (std::set<std::string>{"Q", "q", "loose"}));
}

TEST_F(PlanRecords, ClearingTheGraphLeavesTheCatalog) {
  ASSERT_TRUE(store.commit(plan_setting_set(store.state(), "NAME", "value")).has_value());
  ASSERT_TRUE(store.commit(plan_graph_clear(store.state())).has_value());
  EXPECT_TRUE(store.ids().empty());
  EXPECT_EQ(setting(store.state().catalog, "NAME"), "value");
}

TEST_F(PlanRecords, ClearingAllLeavesNothingAndGivesNoNumberAgain) {
  TransactionBuilder builder(store.state());
  builder.token("client");
  builder.setting("NAME", "value");
  builder.import_record("file.xml");
  builder.publish("item");
  builder.account("ann");
  builder.session(1);
  builder.origin("portal");
  builder.identity("ada@example.org");
  builder.source("peer");
  ASSERT_TRUE(store.commit(builder.finish()).has_value());
  const RecordId next = store.graph().next_id();
  ASSERT_TRUE(store.commit(plan_clear(store.state())).has_value());
  const Catalog& catalog = store.state().catalog;
  EXPECT_TRUE(store.ids().empty());
  EXPECT_EQ(catalog.tokens.count() + catalog.settings.count() + catalog.imports.count() +
                catalog.published.count() + catalog.accounts.count() + catalog.sources.count() +
                catalog.sessions.count() + catalog.origins.count() + catalog.identities.count(),
            0U);
  EXPECT_EQ(store.state().digest(), State().digest());
  EXPECT_EQ(store.graph().next_id(), next);
  EXPECT_EQ(catalog.accounts.next_number(), 2U);
}

TEST_F(PlanRecords, WhatIsGoneCannotBeChanged) {
  ASSERT_TRUE(store.remove(link).has_value());
  EXPECT_EQ(store.remove(link).error().code, Errc::not_found);
  EXPECT_EQ(store.update(link, named("x")).error().code, Errc::not_found);
}

}  // namespace
}  // namespace netml::engine
