// import.md, section 8: export, import, export is the same from the first round, byte for byte, and
// the store it came from is restored, numbers aside.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "tests/support/content_lines.hpp"
#include "tests/support/import_harness.hpp"
#include "tests/support/random_files.hpp"

namespace netml::test {
namespace {

using engine::CollisionPolicy;
using engine::State;

State imported(const std::string& xml, CollisionPolicy collisions) {
  const auto document = codecs::read_netml(xml);
  if (!document) RC_FAIL(document.error().first.front().text());
  engine::ImportOptions options;
  options.collisions = collisions;
  const auto plan = engine::plan_import(State{}, *document, options);
  if (!plan) RC_FAIL(plan.error().message);
  const auto state = engine::apply(State{}, plan->transaction, Lsn{1});
  if (!state) RC_FAIL(state.error().message);
  return *state;
}

std::vector<std::string> sorted_lines(const State& state) {
  std::vector<std::string> lines = content_lines(state.graph);
  std::ranges::sort(lines);
  return lines;
}

struct Round {
  State first;
  State second;
};

// Import, export, import: the second export must equal the first.
Round round_trip(CollisionPolicy collisions) {
  const std::string xml = random_file(5, Marks::homes);
  State first = imported(xml, collisions);
  const std::string exported = export_text(first.graph, first.graph.mains().front());
  State second = imported(exported, collisions);
  RC_LOG() << xml << '\n' << exported << '\n';
  RC_ASSERT(export_text(second.graph, second.graph.mains().front()) == exported);
  return {std::move(first), std::move(second)};
}

RC_GTEST_PROP(RoundTrip, IsTheSameFromTheFirstRoundWhereTheNewestIsKept, ()) {
  const auto [first, second] = round_trip(CollisionPolicy::keep_newest);
  const std::string differs = difference(sorted_lines(first), sorted_lines(second));
  if (!differs.empty()) RC_FAIL(differs);
}

// Several records of one identifier may be more than the marks of a file can tell apart; what an
// export shows is the same all the same.
RC_GTEST_PROP(RoundTrip, IsTheSameFromTheFirstRoundWhereRecordsStaySeparate, ()) {
  round_trip(CollisionPolicy::keep_separate);
}

}  // namespace
}  // namespace netml::test
