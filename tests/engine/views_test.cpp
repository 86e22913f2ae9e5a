// What a view shows of a map (docs/views.md): each step by itself, and what they have in common.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "engine/export/export_order.hpp"
#include "engine/graph/document.hpp"
#include "engine/graph/properties.hpp"
#include "engine/views/apply_view.hpp"
#include "tests/support/graph_builder.hpp"

namespace netml::engine {
namespace {

using test::GraphBuilder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using Texts = std::vector<std::string>;

PseudonymKey key_named(std::string_view name) {
  PseudonymKey key{};
  for (std::size_t i = 0; i < name.size(); ++i)
    key[i % key.size()] = static_cast<std::byte>(name[i]);
  return key;
}

Graph seen(const Graph& graph, std::vector<ViewStep> steps) {
  InlineParallel one_thread;
  return seen_through(graph, View{std::move(steps)}, key_named, one_thread);
}
Graph kept(const Graph& graph, ViewSelection selection) {
  return seen(graph, {KeepStep{{std::move(selection)}}});
}
Graph dropped(const Graph& graph, ViewSelection selection) {
  return seen(graph, {DropStep{{std::move(selection)}}});
}

Texts ids_of(const Graph& graph, Kind kind) {
  Texts ids;
  graph.for_each_of(kind, [&](RecordId id) { ids.emplace_back(graph.attributes(id).id()); });
  return ids;
}
Texts ids_of(const Graph& graph, std::span<const RecordId> records) {
  Texts ids;
  for (const RecordId id : records) ids.emplace_back(graph.attributes(id).id());
  return ids;
}
const Attributes& one(const Graph& graph, Kind kind, std::string_view id) {
  const RecordId record = graph.find_newest(kind, id);
  EXPECT_TRUE(record) << id;
  return graph.attributes(record);
}
const Relations& relations(const Graph& graph, Kind kind, std::string_view id) {
  return graph.relations(graph.find_newest(kind, id));
}

// A root with two networks below it, a link within each and one between them.
class Views : public ::testing::Test {
 protected:
  Views() {
    root = map.topology("root", {}, {}, true);
    global = map.institution(kGlobalInstitutionId, {root});
    ours = map.institution("ours", {root});
    theirs = map.institution("theirs", {root});
    north = map.topology("north", root, ours);
    south = map.topology("south", root, theirs);
    a = map.node("a", {north}, {ours});
    b = map.node("b", {north}, {ours});
    c = map.node("c", {south}, {theirs});
    d = map.node("d", {south}, {theirs});
    map.link("a-b", {north}, {ours}, a, b);
    map.link("b-c", {north}, {ours}, b, c);
    map.link("c-d", {south}, {theirs}, c, d);
  }

  GraphBuilder map;
  RecordId root, global, ours, theirs, north, south, a, b, c, d;
};

TEST_F(Views, WithoutStepsShowAll) {
  const Graph graph = map.build();
  const Graph all = seen(graph, {});
  EXPECT_EQ(all.content_digest(), graph.content_digest());
  EXPECT_EQ(all.size(), graph.size());
}

TEST_F(Views, KeepWhatAnOwnerHasWithTheEndsOfItsLinks) {
  const Graph view = kept(map.build(), {.owners = {"ours"}});
  EXPECT_THAT(ids_of(view, Kind::link), ElementsAre("a-b", "b-c"));
  EXPECT_THAT(ids_of(view, Kind::node), ElementsAre("a", "b", "c"));
  EXPECT_THAT(ids_of(view, Kind::topology), ElementsAre("root", "north"));
  // c stays for the sake of the link, so its owner does; it is listed below the root.
  EXPECT_THAT(ids_of(view, Kind::institution),
              UnorderedElementsAre("urn:ogf:networking:global", "ours", "theirs"));
  EXPECT_THAT(ids_of(view, relations(view, Kind::node, "c").topologies()), ElementsAre("root"));
}

// It owns what lost its owner. A map that was made in the editor has no such institution.
TEST(ViewsOfAMapByHand, MakeAGlobalInstitutionThatTellsNothingOfWhatIsHidden) {
  const auto seen_beside = [](int hidden) {
    GraphBuilder map;
    const RecordId secret = map.institution("secret", {});
    const RecordId root = map.topology("root", {}, secret, true);
    map.node("a", {root}, {});
    for (int i = 0; i < hidden; ++i) map.institution("secret " + std::to_string(i), {});
    return seen(map.build(), {DropStep{{{.kinds = set_of(Kind::institution)}}}});
  };
  const Graph without = seen_beside(0);
  EXPECT_THAT(ids_of(without, Kind::institution), ElementsAre(kGlobalInstitutionId));
  EXPECT_EQ(seen_beside(5).digest(), without.digest());
}

TEST_F(Views, KeepATopologyWithThoseAboveIt) {
  const Graph view = kept(map.build(), {.topologies = {"south"}});
  EXPECT_THAT(ids_of(view, Kind::topology), ElementsAre("root", "south"));
  EXPECT_THAT(ids_of(view, Kind::node), ElementsAre("c", "d"));
  EXPECT_THAT(ids_of(view, Kind::link), ElementsAre("c-d"));
}

TEST_F(Views, KeepWhatOneOfSeveralSelectionsHas) {
  const Graph view = seen(map.build(), {KeepStep{{{.kinds = set_of(Kind::link), .ids = {"a-b"}},
                                                  {.kinds = set_of(Kind::node), .ids = {"d"}}}}});
  EXPECT_THAT(ids_of(view, Kind::link), ElementsAre("a-b"));
  EXPECT_THAT(ids_of(view, Kind::node), ElementsAre("a", "b", "d"));
}

TEST_F(Views, DropAnOwnerWithAllThatRefersToIt) {
  const Graph view = dropped(map.build(), {.owners = {"theirs"}});
  EXPECT_THAT(ids_of(view, Kind::topology), ElementsAre("root", "north"));
  EXPECT_THAT(ids_of(view, Kind::node), ElementsAre("a", "b"));
  EXPECT_THAT(ids_of(view, Kind::link), ElementsAre("a-b"));
  EXPECT_THAT(ids_of(view, Kind::institution), ElementsAre("urn:ogf:networking:global", "ours"));
}

TEST_F(Views, DropATopologyWithWhatIsNowhereElse) {
  const RecordId both = map.node("both", {north, south}, {theirs});
  const Graph view =
      dropped(map.build(), {.kinds = set_of(Kind::topology), .topologies = {"south"}});
  EXPECT_THAT(ids_of(view, Kind::topology), ElementsAre("root", "north"));
  EXPECT_THAT(ids_of(view, Kind::node), ElementsAre("a", "b", "both"));
  EXPECT_THAT(ids_of(view, view.relations(both).topologies()), ElementsAre("north"));
}

TEST_F(Views, DropByTagAndByPropertyOfAnyValue) {
  map.add_property(a, kTag, "internal");
  map.add_property(c, "room", "12");
  const Graph graph = map.build();
  EXPECT_THAT(ids_of(dropped(graph, {.tag = "internal"}), Kind::node), ElementsAre("b", "c", "d"));
  const Graph by_name = dropped(
      graph, {.property = ViewSelection::NamedValue{.name = "room", .value = std::nullopt}});
  EXPECT_THAT(ids_of(by_name, Kind::node), ElementsAre("a", "b", "d"));
  const Graph by_value =
      dropped(graph, {.property = ViewSelection::NamedValue{.name = "room", .value = "13"}});
  EXPECT_THAT(ids_of(by_value, Kind::node), ElementsAre("a", "b", "c", "d"));
}

// An export begins with the main topology and wants it to have an owner.
TEST_F(Views, CanBeExportedWithoutTheOwnerOfATopology) {
  const Graph view =
      seen(map.build(), {DropStep{{{.kinds = set_of(Kind::institution), .owners = {"ours"}}}}});
  const RecordId topology = view.find_newest(Kind::topology, "north");
  EXPECT_EQ(view.attributes(view.relations(topology).owner()).id(), kGlobalInstitutionId);
  EXPECT_THAT(view.relations(view.find_newest(Kind::node, "a")).owners(), IsEmpty());
}

TEST_F(Views, KeepTheMainTopologyWhateverTheyDrop) {
  const Graph view = dropped(map.build(), {.topologies = {"root"}});
  EXPECT_THAT(ids_of(view, Kind::topology), ElementsAre("root"));
  EXPECT_EQ(view.count(Kind::node), 0U);
  EXPECT_TRUE(export_root(view).has_value());
}

TEST_F(Views, NumberAnewWithoutGaps) {
  const Graph view = dropped(map.build(), {.owners = {"ours"}});
  std::vector<std::uint64_t> numbers;
  view.for_each_record([&](RecordId id) { numbers.push_back(view.number(id).value); });
  std::ranges::sort(numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(numbers[i], i + 1);
  EXPECT_EQ(view.next_number().value, view.size() + 1);
}

TEST_F(Views, RoundPlacesToOnePointEachTime) {
  map.set_place(a, {.latitude = {47'123'456}, .longitude = {-8'740'000}});
  map.set_place(b, {.latitude = {89'999'999}, .longitude = {179'999'999}});
  const Graph graph = map.build();
  const std::vector<ViewStep> steps{RoundStep{.grid = {500'000}}};
  const Graph view = seen(graph, steps);
  EXPECT_EQ(one(view, Kind::node, "a").coordinates(),
            (Coordinates{.latitude = {47'000'000}, .longitude = {-8'500'000}}));
  EXPECT_EQ(one(view, Kind::node, "b").coordinates(),
            (Coordinates{.latitude = {90'000'000}, .longitude = {180'000'000}}));
  for (int i = 0; i < 1000; ++i)
    EXPECT_EQ(seen(graph, steps).content_digest(), view.content_digest());
  EXPECT_EQ(seen(view, steps).content_digest(), view.content_digest());  // is at rest
}

TEST_F(Views, DropKeepAndRenameProperties) {
  map.add_property(a, "contact", "Ann");
  map.add_property(a, "contact-phone", "1");
  map.add_property(a, "speed", "10G");
  const Graph graph = map.build();
  const auto names = [&](const ViewStep& step) {
    Texts found;
    const Graph view = seen(graph, {step});
    one(view, Kind::node, "a").for_each_property([&](const Property& property) {
      found.emplace_back(property.name);
    });
    return found;
  };
  EXPECT_THAT(names(PropertiesStep{.keep = false, .names = {"contact"}}),
              ElementsAre("contact-phone", "speed"));
  EXPECT_THAT(names(PropertiesStep{.keep = false, .names = {"contact*"}}), ElementsAre("speed"));
  EXPECT_THAT(names(PropertiesStep{.keep = true, .names = {"speed"}}), ElementsAre("speed"));
  EXPECT_THAT(names(PropertiesStep{.keep = true, .names = {}}), IsEmpty());
  EXPECT_THAT(names(RenamePropertyStep{.from = "speed", .to = "capacity"}),
              ElementsAre("contact", "contact-phone", "capacity"));
  EXPECT_THAT(names(PropertiesStep{.keep = true, .names = {}, .kinds = set_of(Kind::link)}),
              ElementsAre("contact", "contact-phone", "speed"));
}

TEST_F(Views, DropFieldsThatAreNamed) {
  map.set_place(a, {.latitude = {1}, .longitude = {2}});
  const Graph view = seen(map.build(), {DropFieldsStep{.fields = {Field::coordinates}}});
  EXPECT_FALSE(one(view, Kind::node, "a").coordinates());
}

TEST_F(Views, CollapseTheNodesOfAnOwner) {
  const Graph view = seen(map.build(), {CollapseStep{CollapseTo::owner}});
  EXPECT_THAT(ids_of(view, Kind::node), ElementsAre("ours", "theirs"));
  EXPECT_THAT(ids_of(view, Kind::link), ElementsAre("b-c"));
  EXPECT_THAT(ids_of(view, relations(view, Kind::link, "b-c").ends()),
              ElementsAre("ours", "theirs"));
}

TEST_F(Views, CollapseTheNodesOfASite) {
  const Coordinates here{.latitude = {1'000'000}, .longitude = {2'000'000}};
  map.set_place(a, here);
  map.set_place(b, here);
  map.set_place(c, {.latitude = {3'000'000}, .longitude = {2'000'000}});
  const Graph view = seen(map.build(), {CollapseStep{CollapseTo::site}});
  EXPECT_EQ(view.count(Kind::node), 2U);  // d has no place
  EXPECT_THAT(ids_of(view, Kind::link), ElementsAre("b-c"));
  view.for_each_of(Kind::node, [&](RecordId id) {
    EXPECT_THAT(std::string(view.attributes(id).name()), ::testing::HasSubstr(", 2.000000"));
  });
}

TEST_F(Views, GiveOnePseudonymForEachKey) {
  const Graph graph = map.build();
  const auto disguised = [&](std::string key) {
    return seen(
        graph, {PseudonymStep{.fields = {Field::id, Field::name}, .kinds = kAllKinds, .key = key}});
  };
  const Graph first = disguised("one");
  EXPECT_EQ(first.content_digest(), disguised("one").content_digest());
  const Graph other = disguised("two");
  for (const Kind kind : {Kind::topology, Kind::node, Kind::link}) {
    for (const std::string& id : ids_of(first, kind)) {
      EXPECT_FALSE(graph.find_newest(kind, id)) << id;
      EXPECT_FALSE(other.find_newest(kind, id)) << id;
    }
  }
  EXPECT_TRUE(first.find_newest(Kind::institution, kGlobalInstitutionId));
}

// The institution that a node is called after is not found by it.
TEST_F(Views, GiveOtherPseudonymsToOtherKinds) {
  map.node("ours", {north}, {ours});
  const Graph view = seen(map.build(), {PseudonymStep{.fields = {Field::id}, .key = "k"}});
  for (const std::string& id : ids_of(view, Kind::node))
    EXPECT_FALSE(view.find_newest(Kind::institution, id));
}

TEST_F(Views, NameOnlyTopologiesThatAreSeenAsOriginsOfCopies) {
  map.mark_as_copy(a, "north,south");
  const Graph graph = map.build();
  const auto from = [](const Graph& view) {
    const std::vector<RecordId> copies = view.copies();
    return std::string(view.attributes(copies.at(0)).from_topology().value_or("none"));
  };
  EXPECT_EQ(from(dropped(graph, {.topologies = {"south"}})), "north");
  const Graph disguised = seen(
      graph, {PseudonymStep{.fields = {Field::id}, .kinds = set_of(Kind::topology), .key = "k"},
              DropStep{{{.kinds = set_of(Kind::link), .ids = {"a-b"}}}}});
  Texts topologies = ids_of(disguised, Kind::topology);  // ascending
  std::erase(topologies, disguised.attributes(disguised.mains().front()).id());
  EXPECT_EQ(from(disguised), topologies.at(0) + "," + topologies.at(1));
}

// Files mostly list elements by their identifiers, so the order of pseudonyms would tell them.
TEST_F(Views, ListWhatHasPseudonymsByThese) {
  const Graph graph = map.build();
  const auto listed = [&](std::string key) {
    const Graph view = seen(graph, {PseudonymStep{.fields = {Field::id}, .key = std::move(key)}});
    for (const Kind kind : {Kind::topology, Kind::node, Kind::link})
      EXPECT_TRUE(std::ranges::is_sorted(ids_of(view, kind)));
    Texts names;
    view.for_each_of(Kind::node, [&](RecordId id) {
      EXPECT_EQ(view.number(id).value, id.value);
      names.emplace_back(view.attributes(id).name());
    });
    return names;
  };
  EXPECT_NE(listed("one"), listed("two"));
}

TEST_F(Views, SeeWhatTheStepsBeforeHaveLeft) {
  map.add_property(a, "secret", "x");
  const Graph graph = map.build();
  const ViewStep hide = PropertiesStep{.keep = false, .names = {"secret"}};
  const ViewStep drop = DropStep{{{.property = ViewSelection::NamedValue{"secret", std::nullopt}}}};
  EXPECT_EQ(seen(graph, {hide, drop}).count(Kind::node), 4U);
  EXPECT_EQ(seen(graph, {drop, hide}).count(Kind::node), 3U);
}

TEST_F(Views, TellWhichIdentifiersNothingHas) {
  const View view{{DropStep{{{.owners = {"ours", "nobody"}}, {.topologies = {"nowhere"}}}},
                   KeepStep{{{.ids = {"a", "z"}}}}}};
  EXPECT_THAT(unknown_identifiers(map.build(), view), ElementsAre("nobody", "nowhere", "z"));
}

TEST(ViewProblems, NameTheFieldThatIsWrong) {
  const auto field = [](ViewStep step) {
    const auto problem = problem_of(View{{std::move(step)}});
    return problem ? problem->field : std::string("none");
  };
  EXPECT_EQ(field(KeepStep{}), "steps.0.keep");
  EXPECT_EQ(field(DropStep{{ViewSelection{}}}), "steps.0.drop");
  EXPECT_EQ(field(KeepStep{{{.kinds = set_of(Kind::topology)}}}), "steps.0.keep.kind");
  EXPECT_EQ(field(RoundStep{}), "steps.0.round.degrees");
  EXPECT_EQ(field(PropertiesStep{}), "steps.0.drop_properties.names");
  EXPECT_EQ(field(DropFieldsStep{.fields = {Field::id}}), "steps.0.drop_fields.names");
  EXPECT_EQ(field(PseudonymStep{.fields = {Field::id}}), "steps.0.pseudonyms.key");
  EXPECT_EQ(field(PseudonymStep{.fields = {Field::version}, .key = "k"}),
            "steps.0.pseudonyms.fields");
  EXPECT_EQ(field(RoundStep{.grid = {1}}), "none");
}

}  // namespace
}  // namespace netml::engine
