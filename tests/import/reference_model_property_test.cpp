// The planner works set by set; the model record by record. Whatever is imported in whatever
// order, both leave the same store behind.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "tests/support/content_lines.hpp"
#include "tests/support/import_harness.hpp"
#include "tests/support/inverse.hpp"
#include "tests/support/random_files.hpp"
#include "tests/support/read_netml.hpp"
#include "tests/support/reference_model.hpp"

namespace netml::test {
namespace {

using engine::CollisionPolicy;
using engine::State;

// Engine numbers grow with the import, the visit and the kind that gave them; inside one kind of
// one visit the engine may choose. Records of one kind and identifier are in one order throughout:
// content_lines() compares that.
void expect_same_ages(const ReferenceModel& model, const engine::Graph& graph) {
  std::map<ReferenceModel::Age, std::vector<RecordNumber>> numbers;
  std::map<std::pair<Kind, std::string>, std::vector<ReferenceModel::Age>> ages;
  for (const auto& [key, record] : model.records())
    ages[{record.kind, std::string(record.attributes->id())}].push_back(record.age);
  for (const auto& [same, of_records] : ages) {
    if (same.first == Kind::topology) continue;
    std::vector<RecordNumber> given;
    for (const RecordId id : graph.find(same.first, same.second)) given.push_back(graph.number(id));
    std::ranges::sort(given);
    RC_ASSERT(given.size() == of_records.size());
    for (std::size_t i = 0; i < given.size(); ++i) numbers[of_records[i]].push_back(given[i]);
  }
  RecordNumber highest;
  for (const auto& [age, given] : numbers) {
    RC_ASSERT(*std::ranges::min_element(given) > highest);
    highest = *std::ranges::max_element(given);
  }
}

// One import into both; the laws that hold for every transaction are checked on the way.
void import_into_both(State& state, ReferenceModel& model, CollisionPolicy collisions) {
  const std::string xml = random_file(5);
  const bool propagate = *rc::gen::arbitrary<bool>();
  const std::string parent =
      *rc::gen::element(false, false, true) ? random_topology_id() : std::string();
  RC_LOG() << "below \"" << parent << "\", propagate " << propagate << ":\n" << xml << '\n';
  const auto document = codecs::read_netml(xml);
  RC_ASSERT(document.has_value());
  engine::ImportOptions options;
  options.parent = state.graph.find_newest(Kind::topology, parent);
  options.collisions = collisions;
  options.propagate_topology_deletion = propagate;
  const auto plan = engine::plan_import(state, *document, options);
  RC_ASSERT(model.import(*document, parent, collisions, propagate) == plan.has_value());
  if (!plan) return;

  const auto after = engine::apply(state, plan->transaction, state.lsn.next());
  if (!after) RC_FAIL(after.error().message);
  const auto replayed = engine::apply(state, plan->transaction, state.lsn.next());
  RC_ASSERT(replayed->digest() == after->digest());
  const auto undone =
      engine::apply(*after, engine::invert(plan->transaction, *after), after->lsn.next());
  if (!undone) RC_FAIL(undone.error().message);
  RC_ASSERT(undone->graph.content_digest() == state.graph.content_digest());

  const std::string differs = difference(content_lines(after->graph), model.lines());
  if (!differs.empty()) RC_FAIL(differs);
  expect_same_ages(model, after->graph);
  state = *after;
}

void agree(CollisionPolicy collisions) {
  State state;
  ReferenceModel model;
  for (int imports = *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(1, 7)); imports > 0;
       --imports)
    import_into_both(state, model, collisions);
}

RC_GTEST_PROP(ReferenceModel, AgreesWhereTheNewestIsKept, ()) {
  agree(CollisionPolicy::keep_newest);
}

RC_GTEST_PROP(ReferenceModel, AgreesWhereRecordsStaySeparate, ()) {
  agree(CollisionPolicy::keep_separate);
}

}  // namespace
}  // namespace netml::test
