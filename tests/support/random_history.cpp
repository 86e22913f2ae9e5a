#include "tests/support/random_history.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <optional>
#include <string>

#include "engine/edit/plan_records.hpp"
#include "engine/import/plan_import.hpp"
#include "tests/support/random_files.hpp"
#include "tests/support/read_netml.hpp"

namespace netml::test {

using engine::RecordEdit;
using engine::State;
using engine::Transaction;

State committed(const State& state, const Transaction& transaction) {
  auto after = engine::apply(state, transaction, state.lsn.next());
  if (!after) RC_FAIL(after.error().message);
  return std::move(*after);
}

RecordId any_record(const State& state) {
  std::vector<RecordId> ids;
  state.graph.for_each_record([&](RecordId id) { ids.push_back(id); });
  return ids.empty() ? RecordId{}
                     : ids[static_cast<std::size_t>(below(static_cast<int>(ids.size())))];
}

namespace {

RecordId any_of_kind(const State& state, Kind kind) {
  std::vector<RecordId> ids;
  state.graph.for_each_record([&](RecordId id) {
    if (state.graph.kind(id) == kind) ids.push_back(id);
  });
  return ids.empty() ? RecordId{}
                     : ids[static_cast<std::size_t>(below(static_cast<int>(ids.size())))];
}

std::vector<RecordId> only(RecordId id) {
  return id ? std::vector{id} : std::vector<RecordId>{};
}

// None, or one of a few.
std::optional<Instant> some_instant() {
  const int choice = below(4);
  return choice == 0 ? std::nullopt : std::optional(Instant{choice});
}

RecordEdit random_edit(const State& state) {
  RecordEdit edit;
  switch (below(11)) {
    case 0:
      edit.name = "name " + std::to_string(below(3));
      break;
    case 1:
      edit.properties = {{"k", std::to_string(below(3))}, {"tag", std::to_string(below(3))}};
      break;
    case 2:
      edit.added_properties = {{"tag", std::to_string(below(3))}};
      break;
    case 3:
      edit.topologies = only(any_of_kind(state, Kind::topology));
      edit.parent = any_of_kind(state, Kind::topology);
      break;
    case 4:
      edit.owners = only(any_of_kind(state, Kind::institution));
      edit.owner = any_of_kind(state, Kind::institution);
      break;
    case 5:
      edit.end_a = any_of_kind(state, Kind::node);
      break;
    case 6:
      edit.end_b = any_of_kind(state, Kind::node);
      break;
    case 7:
      edit.id = std::string(1, "tinl"[below(4)]) + std::to_string(below(4));
      break;
    case 8:
      edit.start = some_instant();
      edit.end = some_instant();
      break;
    case 9:
      edit.end = some_instant();
      break;
    default:
      edit.main = true;
      break;
  }
  return edit;
}

std::optional<Transaction> random_import(const State& state) {
  const auto document = codecs::read_netml(random_file(5));
  RC_ASSERT(document.has_value());
  engine::ImportOptions options;
  options.parent = state.graph.find_newest(Kind::topology, random_topology_id());
  if (*rc::gen::arbitrary<bool>()) options.collisions = engine::CollisionPolicy::keep_separate;
  auto plan = engine::plan_import(state, *document, options);
  if (!plan) return std::nullopt;
  return std::move(plan->transaction);
}

// What cannot be done is not done.
std::optional<Transaction> random_transaction(const State& state) {
  const int choice = below(6);
  if (state.graph.size() == 0 || choice < 2) return random_import(state);
  if (choice < 5) {
    const RecordId record = any_record(state);
    auto updated = engine::plan_record_update(state, record, random_edit(state));
    if (updated) return std::move(*updated);
    return std::nullopt;
  }
  auto deleted = engine::plan_record_delete(state, any_record(state));
  RC_ASSERT(deleted.has_value());
  return std::move(*deleted);
}

}  // namespace

std::vector<Step> random_history(int steps_max) {
  std::vector<Step> history;
  State state;
  for (int steps = 1 + below(steps_max); steps > 0; --steps) {
    auto transaction = random_transaction(state);
    if (!transaction) continue;
    Step step{state, std::move(*transaction), {}};
    step.after = committed(state, step.transaction);
    state = step.after;
    history.push_back(std::move(step));
  }
  RC_PRE(!history.empty());
  return history;
}

}  // namespace netml::test
