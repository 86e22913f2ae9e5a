// Goal: every export can be read, whatever the store holds (decision 45): records that share
// identifiers, links between them, an edited global institution.
// Method: random graphs whose identifiers come from a few texts; the strict reader takes what is
// written, and finds the links that are not named as omitted.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "engine/export/export_order.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/import_harness.hpp"
#include "tests/support/read_netml.hpp"

namespace netml::test {
namespace {

std::vector<RecordId> some_of(const std::vector<RecordId>& all) {
  std::vector<RecordId> chosen;
  for (const RecordId id : all)
    if (*rc::gen::arbitrary<bool>()) chosen.push_back(id);
  if (chosen.empty()) chosen.push_back(*rc::gen::elementOf(all));
  return chosen;
}

std::string id_of(const char* a, const char* b, const char* c) {
  return *rc::gen::element<std::string>(a, b, c);
}

// The root is the first record.
engine::Graph crowded_graph() {
  engine::test::GraphBuilder builder;
  const auto topology_count = *rc::gen::inRange<std::uint32_t>(1, 4);
  std::vector<RecordId> topologies;
  std::vector<RecordId> institutions;
  std::vector<RecordId> nodes;
  for (std::uint32_t i = 0; i < topology_count; ++i) {
    const RecordId parent = i == 0 ? RecordId{} : *rc::gen::elementOf(topologies);
    const RecordId owner{topology_count + *rc::gen::inRange<std::uint32_t>(1, 4)};
    topologies.push_back(builder.topology("t" + std::to_string(i), parent, owner, i == 0));
  }
  for (int i = 0; i < 3; ++i)
    institutions.push_back(builder.institution(id_of("i", "j", engine::kGlobalInstitutionId.data()),
                                               some_of(topologies)));
  for (int i = *rc::gen::inRange(2, 6); i > 0; --i)
    nodes.push_back(builder.node(id_of("a", "b", "c"), some_of(topologies), some_of(institutions)));
  for (int i = *rc::gen::inRange(0, 6); i > 0; --i) {
    const auto from = *rc::gen::inRange<std::size_t>(0, nodes.size());
    const auto to = (from + *rc::gen::inRange<std::size_t>(1, nodes.size())) % nodes.size();
    builder.link(id_of("l", "m", "n"), some_of(topologies), some_of(institutions), nodes[from],
                 nodes[to]);
  }
  return builder.build();
}

std::set<std::string> links_in(const engine::Document& document) {
  std::set<std::string> ids;
  for (const engine::DocumentTopology& topology : document.topologies)
    for (const engine::DocumentElement& link : document.links(topology))
      ids.insert(std::string(link.attributes->id()));
  return ids;
}

RC_GTEST_PROP(ReadableExport, IsMadeOfEveryStore, ()) {
  const engine::Graph graph = crowded_graph();
  const std::string xml = export_text(graph, graph.mains().front());
  RC_LOG() << xml << '\n';
  const auto document = codecs::read_netml(xml);
  if (!document) RC_FAIL(document.error().first.front().text());

  const auto tree = engine::export_tree(graph, graph.mains().front());
  std::set<std::string> expected;
  graph.for_each_record([&](RecordId id) {
    if (graph.kind(id) == Kind::link && !std::ranges::binary_search(tree->omitted_links, id))
      expected.insert(std::string(graph.attributes(id).id()));
  });
  RC_ASSERT(links_in(*document) == expected);
}

}  // namespace
}  // namespace netml::test
