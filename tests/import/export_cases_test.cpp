// docs/requirements/importing.md, sections 10.3 and 10.4: what an export lists, in the text that
// peers get.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "engine/export/export_order.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/import_harness.hpp"
#include "tests/support/netml_text.hpp"
#include "tests/support/read_netml.hpp"

namespace netml::test {
namespace {

using engine::CollisionPolicy;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// What the export says, read back: each element as "id" or, for a copy, "id<topologies it is of".
struct Listed {
  Texts institutions;
  Texts nodes;
  Texts links;
};

Listed listed(const std::string& xml, std::string_view topology_id) {
  const auto document = codecs::read_netml(xml);
  Listed result;
  if (!document) {
    ADD_FAILURE() << document.error().first.front().text();
    return result;
  }
  const auto texts = [](std::span<const engine::DocumentElement> elements) {
    Texts out;
    for (const engine::DocumentElement& element : elements) {
      if (element.attributes->id() == engine::kGlobalInstitutionId) continue;
      std::string text(element.attributes->id());
      if (const auto from = element.attributes->from_topology()) text += '<' + std::string(*from);
      out.push_back(std::move(text));
    }
    return out;
  };
  for (const engine::DocumentTopology& topology : document->topologies)
    if (topology.attributes->id() == topology_id)
      result = {texts(document->institutions(topology)), texts(document->nodes(topology)),
                texts(document->links(topology))};
  return result;
}

Texts owners_in(const std::string& xml, std::string_view topology_id, std::string_view node_id) {
  const auto document = codecs::read_netml(xml);
  Texts owners;
  for (const engine::DocumentTopology& topology : document->topologies)
    for (const engine::DocumentElement& node : document->nodes(topology))
      if (topology.attributes->id() == topology_id && node.attributes->id() == node_id)
        for (const engine::DocumentIndex owner : document->owners_of(node))
          owners.emplace_back(document->elements[owner].attributes->id());
  std::ranges::sort(owners);
  return owners;
}

TEST(Export, ListsASharedNodeWithAllOwnersInBothTopologies) {
  ImportHarness store;
  store.import(topology("P", "p", institution("p"), node("n"),
                        topology("C", "c", institution("c"), node("n"))));
  const std::string xml = store.exported();
  EXPECT_THAT(listed(xml, "P").institutions, ElementsAre("c<C", "p"));
  EXPECT_THAT(listed(xml, "C").institutions, ElementsAre("c", "p<P"));
  EXPECT_THAT(owners_in(xml, "P", "n"), ElementsAre("c", "p"));
  EXPECT_THAT(owners_in(xml, "C", "n"), ElementsAre("c", "p"));
}

TEST(Export, ListsASharedLinkWithItsNodesInBothTopologies) {
  const auto part = [](const char* id, const char* owner) {
    return topology(id, owner, institution(owner), node("a"), node("b"), link("l", "a", "b"));
  };
  ImportHarness store;
  store.import(part("P", "p").add(part("C", "c")));
  const std::string xml = store.exported();
  EXPECT_THAT(listed(xml, "P").nodes, ElementsAre("a", "b"));
  EXPECT_THAT(listed(xml, "P").links, ElementsAre("l"));
  EXPECT_THAT(listed(xml, "P").institutions, ElementsAre("c<C", "p"));
  EXPECT_THAT(listed(xml, "C").nodes, ElementsAre("a", "b"));
  EXPECT_THAT(listed(xml, "C").links, ElementsAre("l"));
  EXPECT_THAT(listed(xml, "C").institutions, ElementsAre("c", "p<P"));
}

TEST(Export, AddsTheEndThatBelongsToTheChildAsACopyWithItsOwner) {
  ImportHarness store;
  store.import(topology("P", "p", institution("p"), institution("c").copy_of("C"), node("a"),
                        node("b").owned_by("c").copy_of("C"), link("l", "a", "b"),
                        topology("C", "c", institution("c"), node("b"))));
  const std::string xml = store.exported();
  EXPECT_THAT(listed(xml, "P").nodes, ElementsAre("a", "b<C"));
  EXPECT_THAT(listed(xml, "P").institutions, ElementsAre("c<C", "p"));
  EXPECT_THAT(listed(xml, "C").nodes, ElementsAre("b"));
  EXPECT_THAT(listed(xml, "C").institutions, ElementsAre("c"));
}

TEST(Export, CopiesFromAnUnrelatedTopologyWithoutListingIt) {
  ImportHarness store;
  store.import(topology("M", "m", institution("m"), institution("u").copy_of("U"), node("a"),
                        node("b").owned_by("u").copy_of("U"), link("l", "a", "b")));
  store.import_at_top(topology("U", "u", institution("u"), node("b")));
  const std::string xml = store.exported();
  EXPECT_THAT(listed(xml, "M").nodes, ElementsAre("a", "b<U"));
  EXPECT_THAT(listed(xml, "M").institutions, ElementsAre("m", "u<U"));
  EXPECT_THAT(xml, Not(HasSubstr("<grenml:Topology id=\"U\"")));
}

TEST(Export, WritesAnUnresolvedCopyAsItIsAndElsewhereWithOneMergedMark) {
  ImportHarness store;
  store.import(topology("P", "p", institution("p"), node("a"), node("x").copy_of("U")));
  store.import_below("P", topology("C", "p", institution("p").copy_of("P"), node("b"),
                                   node("x").copy_of("P"), link("l", "b", "x")));
  const std::string xml = store.exported();
  EXPECT_THAT(listed(xml, "P").nodes, ElementsAre("a", "x<U"));
  EXPECT_THAT(listed(xml, "C").nodes, ElementsAre("b", "x<P,U"));
}

TEST(Export, GivesAnInstitutionWithoutPlaceNoLocation) {
  ImportHarness store;
  store.import(topology(
      "P", "p",
      institution("p").location("<grenml:long>0</grenml:long><grenml:lat>0</grenml:lat>")));
  EXPECT_THAT(store.exported(), Not(HasSubstr("<grenml:Location>")));
}

TEST(Export, WritesTopologyProperties) {
  ImportHarness store;
  store.import(topology("P", "p", institution("p")).with("url", "https://p.example/"));
  EXPECT_THAT(store.exported(),
              HasSubstr("<grenml:Property name=\"url\">https://p.example/</grenml:Property>"));
}

TEST(Export, OfAGivenTopologyStartsThere) {
  ImportHarness store;
  store.import(topology(
      "P", "p", institution("p"), node("above"),
      topology("C", "c", institution("c"), topology("G", "c", institution("c"), node("below")))));
  const std::string xml = store.exported("C");
  EXPECT_THAT(xml, HasSubstr("below"));
  EXPECT_THAT(xml, Not(HasSubstr("above")));
}

TEST(Export, UnifiesTwoRecordsOfOneIdInOneTopology) {
  engine::test::GraphBuilder builder;
  const RecordId t = builder.topology("T", {}, RecordId{2}, true);
  const RecordId i = builder.institution("i", {t});
  const RecordId older = builder.node("n", {t}, {i});
  const RecordId newer = builder.node("n", {t}, {i});
  const engine::Graph graph = builder.build();
  ASSERT_LT(graph.number(older), graph.number(newer));
  EXPECT_THAT(listed(export_text(graph, t), "T").nodes, ElementsAre("n"));
  const engine::TopologyContents contents = engine::topology_contents(graph, t);
  ASSERT_EQ(contents.nodes.size(), 1U);
  EXPECT_EQ(contents.nodes.front().record, newer);
}

TEST(Export, ListsTheMemberRatherThanANewerCopyOfItsId) {
  ImportHarness store(CollisionPolicy::keep_separate);
  store.import(topology("P", "i", institution("i").named("of P"), node("b"),
                        topology("C", "i", institution("i").named("of C"), node("a"),
                                 node("b").copy_of("P"), link("l", "a", "b"))));
  const std::string xml = store.exported();
  EXPECT_THAT(listed(xml, "C").institutions, ElementsAre("i"));
  EXPECT_THAT(xml, HasSubstr("<grenml:name>of C</grenml:name>"));
}

// ---- what no reader would take (decision 45) ----

TEST(Export, OmitsALinkWhoseEndsCarryTheSameIdentifierAndNamesIt) {
  engine::test::GraphBuilder builder;
  const RecordId t = builder.topology("T", {}, RecordId{2}, true);
  const RecordId i = builder.institution("i", {t});
  const RecordId older = builder.node("n", {t}, {i});
  const RecordId newer = builder.node("n", {t}, {i});
  const RecordId other = builder.node("o", {t}, {i});
  const RecordId loop = builder.link("loop", {t}, {i}, older, newer);
  builder.link("fine", {t}, {i}, older, other);
  const engine::Graph graph = builder.build();
  EXPECT_THAT(listed(export_text(graph, t), "T").links, ElementsAre("fine"));
  EXPECT_THAT(engine::export_tree(graph, t)->omitted_links, ElementsAre(loop));
  EXPECT_THAT(engine::topology_contents(graph, t).omitted_links, ElementsAre(loop));
}

TEST(Export, CopiesNothingForALinkThatItOmits) {
  engine::test::GraphBuilder builder;
  const RecordId t = builder.topology("T", {}, RecordId{3}, true);
  const RecordId u = builder.topology("U");
  builder.institution("i", {t});
  const RecordId j = builder.institution("j", {u});
  const RecordId a = builder.node("n", {u}, {j});
  const RecordId b = builder.node("n", {u}, {j});
  builder.link("loop", {t}, {j}, a, b);
  const Listed in_t = listed(export_text(builder.build(), t), "T");
  EXPECT_THAT(in_t.nodes, IsEmpty());
  EXPECT_THAT(in_t.institutions, ElementsAre("i"));
}

TEST(Export, NamesNoOmittedLinkOfATopologyThatIsNotExported) {
  engine::test::GraphBuilder builder;
  const RecordId t = builder.topology("T", {}, RecordId{3}, true);
  const RecordId u = builder.topology("U");
  const RecordId i = builder.institution("i", {t, u});
  const RecordId a = builder.node("n", {u}, {i});
  const RecordId b = builder.node("n", {u}, {i});
  builder.link("loop", {u}, {i}, a, b);
  const engine::Graph graph = builder.build();
  EXPECT_THAT(engine::export_tree(graph, t)->omitted_links, IsEmpty());
}

TEST(Export, WritesTheGlobalInstitutionAsDefinedWhateverIsStored) {
  engine::test::GraphBuilder builder;
  const RecordId t = builder.topology("T", {}, RecordId{2}, true);
  const RecordId stored = builder.institution(engine::kGlobalInstitutionId, {t});
  builder.mark_as_copy(stored, "U");
  builder.institution(engine::kGlobalInstitutionId, {t});
  const std::string xml = export_text(builder.build(), t);
  constexpr std::string_view kDefined =
      "<grenml:Institution id=\"urn:ogf:networking:global\"><grenml:name>GREN</grenml:name>"
      "<grenml:Property name=\"tag\">global</grenml:Property></grenml:Institution>";
  const std::size_t at = xml.find("<grenml:Institution");
  EXPECT_EQ(xml.substr(at, kDefined.size()), kDefined);
  EXPECT_EQ(xml.find("<grenml:Institution", at + 1), xml.npos);
}

TEST(Export, WritesTheEndsOfALinkByIdentifier) {
  engine::test::GraphBuilder builder;
  const RecordId t = builder.topology("T", {}, RecordId{2}, true);
  const RecordId i = builder.institution("i", {t});
  const RecordId z = builder.node("z", {t}, {i});
  const RecordId a = builder.node("a", {t}, {i});
  builder.link("l", {t}, {i}, z, a);
  EXPECT_THAT(export_text(builder.build(), t),
              HasSubstr("<grenml:node>a</grenml:node><grenml:node>z</grenml:node>"));
}

TEST(Export, TreatsPropertiesNamedLikeFieldsAsData) {
  ElementText p = institution("p");
  ElementText n = node("n");
  for (const char* name :
       {"id", "name", "short_name", "version", "latitude", "longitude", "altitude", "address",
        "unlocode", "lifetime_start", "lifetime_end", "nodes", "owners", "institution_type"}) {
    p.with(name, "x");
    n.with(name, "x");
  }
  ImportHarness store;
  store.import(topology("P", "p", p, n));
  ImportHarness fresh;
  fresh.import(store.exported());
  EXPECT_EQ(store.exported(), fresh.exported());
  EXPECT_EQ(store.node("n").properties, fresh.node("n").properties);
  EXPECT_EQ(fresh.institution("p").properties.size(), 14U);
}

// ---- failures (decision 6) ----

TEST(ExportFailures, NameWhatIsMissing) {
  using engine::ExportFailure;
  engine::test::GraphBuilder none;
  none.topology("T");
  EXPECT_EQ(engine::export_root(none.build()).error(), ExportFailure::missing_root_topology);

  engine::test::GraphBuilder two;
  two.topology("A", {}, {}, true);
  two.topology("B", {}, {}, true);
  EXPECT_EQ(engine::export_root(two.build()).error(), ExportFailure::missing_root_topology);

  engine::test::GraphBuilder ownerless;
  const RecordId root = ownerless.topology("T", {}, {}, true);
  EXPECT_EQ(engine::export_tree(ownerless.build(), root).error(),
            ExportFailure::missing_root_topology_owner);

  engine::test::GraphBuilder child;
  const RecordId parent = child.topology("T", {}, RecordId{2}, true);
  child.institution("i", {parent});
  child.topology("C", parent);
  EXPECT_EQ(engine::export_tree(child.build(), parent).error(), ExportFailure::no_topology_owner);

  EXPECT_STREQ(engine::export_failure_name(ExportFailure::missing_root_topology),
               "MissingRootTopologyException");
  EXPECT_STREQ(engine::export_failure_name(ExportFailure::missing_root_topology_owner),
               "MissingRootTopologyOwnerException");
  EXPECT_STREQ(engine::export_failure_name(ExportFailure::no_topology_owner),
               "NoTopologyOwnerError");
}

// Identifiers are compared by a few bytes behind what all of them share, and whole where these are
// the same.
TEST(ExportOrder, IsThatOfIdentifiersWhateverTheyShare) {
  const std::string shared = "urn:example:n";
  const Texts ids{shared + "10",         shared + "9",
                  shared + "1",          shared + "12345678b",
                  shared + "12345678a",  shared + "12345678",
                  shared + "1234567",    shared + "\u00e9",
                  shared + "~",          shared,
                  shared + "12345678a1", shared + "123456789012345"};
  for (std::size_t count = 2; count <= ids.size(); ++count) {
    engine::test::GraphBuilder builder;
    const RecordId topology = builder.topology("t", {}, {}, true);
    Texts expected(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(count));
    for (const std::string& id : expected) builder.node(id, {topology}, {});
    builder.node(ids.front(), {topology}, {});  // again; the newer one is written
    const engine::Graph graph = builder.build();
    std::ranges::sort(expected);
    Texts listed;
    for (const auto& node : engine::topology_contents(graph, topology).nodes) {
      const std::string_view id = graph.attributes(node.record).id();
      listed.emplace_back(id);
      EXPECT_EQ(node.record, graph.find_newest(Kind::node, id));
    }
    EXPECT_EQ(listed, expected);
  }
}

}  // namespace
}  // namespace netml::test
