// docs/requirements/importing.md, section 8: export, import, export is the same from the first
// round, byte for byte, and the store it came from is restored, numbers aside.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "tests/support/content_lines.hpp"
#include "tests/support/import_harness.hpp"
#include "tests/support/random_files.hpp"
#include "tests/support/read_netml.hpp"

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

// A copy shows one of the records that share its identifier, the newest. Which one that is is in no
// file, so another round may choose another one. There are none where the newest is kept.
std::string without_ambiguous_copies(std::string text, const engine::Graph& graph) {
  for (const auto& [kind, tag] : {std::pair(Kind::institution, std::string("Institution")),
                                  std::pair(Kind::node, std::string("Node"))}) {
    for (const std::vector<RecordId>& same : graph.duplicates(kind)) {
      const std::string open =
          "<grenml:" + tag + " id=\"" + std::string(graph.attributes(same.front()).id()) + "\"";
      const std::string close = "</grenml:" + tag + ">";
      for (std::size_t at = text.find(open); at != text.npos; at = text.find(open, at + 1)) {
        const std::size_t end = text.find(close, at) + close.size();
        const bool copy = text.substr(at, end - at).find(engine::kFromTopology) != text.npos;
        if (copy) text.replace(at, end - at, 1, ' ');
      }
    }
  }
  return text;
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
  const std::string again = export_text(second.graph, second.graph.mains().front());
  RC_ASSERT(without_ambiguous_copies(again, second.graph) ==
            without_ambiguous_copies(exported, first.graph));
  return {std::move(first), std::move(second)};
}

RC_GTEST_PROP(RoundTrip, IsTheSameFromTheFirstRoundWhereTheNewestIsKept, ()) {
  const auto [first, second] = round_trip(CollisionPolicy::keep_newest);
  const std::string differs = difference(sorted_lines(first), sorted_lines(second));
  if (!differs.empty()) RC_FAIL(differs);
}

// Several records of one identifier may be more than the marks of a file can tell apart; what an
// export shows is the same all the same, but for copies of such records.
RC_GTEST_PROP(RoundTrip, IsTheSameFromTheFirstRoundWhereRecordsStaySeparate, ()) {
  round_trip(CollisionPolicy::keep_separate);
}

}  // namespace
}  // namespace netml::test
