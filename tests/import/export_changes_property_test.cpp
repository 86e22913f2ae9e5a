// What is said to be written alike is: else a cached piece of an export would be an old one.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "codecs/netml/netml_writer.hpp"
#include "engine/export/export_changes.hpp"
#include "tests/support/random_history.hpp"

namespace netml::test {
namespace {

using engine::Graph;

std::string written(const Graph& graph, RecordId topology) {
  std::string text;
  if (graph.relations(topology).owner())
    codecs::NetmlWriter(graph, {}).write_part({.topology = topology}, text, std::string::npos);
  return text;
}

void expect_others_alike(const Graph& before, const Graph& after) {
  const auto changed = engine::topologies_written_differently(before, after);
  if (!changed) {
    RC_ASSERT(before.has_duplicates() || after.has_duplicates());
    RC_TAG("all");
    return;
  }
  RC_ASSERT(std::ranges::is_sorted(*changed));
  before.for_each_record([&](RecordId id) {
    if (before.kind(id) != Kind::topology || std::ranges::binary_search(*changed, id)) return;
    RC_ASSERT(after.contains(id));
    RC_ASSERT(written(before, id) == written(after, id));
  });
  after.for_each_record([&](RecordId id) {
    if (after.kind(id) != Kind::topology || before.contains(id)) return;
    RC_ASSERT(std::ranges::binary_search(*changed, id));
  });
}

RC_GTEST_PROP(ExportChanges, NameEveryTopologyThatIsWrittenDifferently, ()) {
  const std::vector<Step> history = random_history(6);
  for (const Step& step : history) expect_others_alike(step.before.graph, step.after.graph);
  expect_others_alike(history.front().before.graph, history.back().after.graph);
  expect_others_alike(history.back().after.graph, history.front().before.graph);
}

RC_GTEST_PROP(ExportChanges, AreNoneWhereNothingChanged, ()) {
  const Step last = random_history(4).back();
  const auto changed = engine::topologies_written_differently(last.after.graph, last.after.graph);
  RC_ASSERT(changed.has_value());
  RC_ASSERT(changed->empty());
}

}  // namespace
}  // namespace netml::test
