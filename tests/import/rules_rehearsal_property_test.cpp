// A rehearsal of rules leads where a real run leads: the same imports, edits and changes of rules
// after a point of the history, with the rules that are rehearsed in force from there on.
//
// What an edit came to is in its transaction with what the rules then made of it. A rehearsal
// cannot tell the two apart (docs/rules.md), so edits are drawn that the rules left as they were.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/edit/plan_records.hpp"
#include "engine/import/plan_import.hpp"
#include "engine/rehearsal/rules_rehearsal.hpp"
#include "engine/rules/plan_rules.hpp"
#include "engine/rules/run_rules.hpp"
#include "tests/support/content_lines.hpp"
#include "tests/support/random_files.hpp"
#include "tests/support/random_history.hpp"
#include "tests/support/random_rules.hpp"
#include "tests/support/read_netml.hpp"

namespace netml::test {
namespace {

using engine::Cause;
using engine::Difference;
using engine::ElementName;
using engine::RecordEdit;
using engine::RulesetDraft;
using engine::RulesRehearsal;
using engine::State;
using engine::Transaction;

// ---- what somebody does ----

struct Import {
  std::string xml;
  std::string parent;  // empty: top level
  bool propagate = true;
};
struct Edit {
  ElementName element;
  RecordId record;  // that the history changed
  RecordEdit edit;
  bool deletes = false;
};
struct Creation {
  std::string identifier;
  std::string topology;
};
struct RuleChange {
  std::vector<RulesetDraft> rulesets;
};
using Deed = std::variant<Import, Edit, Creation, RuleChange>;

// A state, and what is done to it.
class World {
 public:
  explicit World(State state = {}) : state_(std::move(state)) {}

  const State& state() const { return state_; }
  const Transaction& last() const { return last_; }
  const State& before() const { return before_; }

  // False when it is refused.
  bool import(const Import& import) {
    const auto document = codecs::read_netml(import.xml);
    RC_ASSERT(document.has_value());
    engine::ImportOptions options;
    options.parent = state_.graph.find_newest(Kind::topology, import.parent);
    if (!import.parent.empty() && !options.parent) return false;
    options.collisions = engine::CollisionPolicy::by_rules;
    options.propagate_topology_deletion = import.propagate;
    auto plan = engine::plan_import(state_, *document, options);
    if (plan) commit(Cause::import, std::move(plan->transaction));
    return plan.has_value();
  }

  // The record that the history changed, if it is still that; else one of its name.
  RecordId find(const Edit& edit, RecordId first_own) const {
    const auto& [kind, identifier] = edit.element;
    const auto& graph = state_.graph;
    if (edit.record < first_own && graph.contains(edit.record) && graph.kind(edit.record) == kind &&
        graph.attributes(edit.record).id() == identifier)
      return edit.record;
    const std::vector<RecordId> found = graph.find(kind, identifier);
    return found.empty() ? RecordId{} : found.front();
  }
  std::optional<Transaction> planned(const Edit& edit, RecordId record) const {
    if (!record) return std::nullopt;
    auto plan = edit.deletes ? engine::plan_record_delete(state_, record)
                             : engine::plan_record_update(state_, record, edit.edit);
    if (!plan) return std::nullopt;
    return std::move(*plan);
  }
  std::optional<Transaction> planned(const Creation& creation) const {
    const RecordId topology = state_.graph.find_newest(Kind::topology, creation.topology);
    if (!topology) return std::nullopt;
    RecordEdit node;
    node.id = node.name = creation.identifier;
    node.topologies = std::vector{topology};
    auto made = engine::plan_record_create(state_, Kind::node, node);
    RC_ASSERT(made.has_value());
    return std::move(made->transaction);
  }
  Transaction planned(const RuleChange& change) const {
    return plan_rules_import(state_, change.rulesets).transaction;
  }

  // With what the rules make of it.
  Transaction followed(Transaction transaction) const {
    auto all = engine::followed_by_rules(state_, std::move(transaction));
    if (!all) RC_FAIL(all.error().message);
    return std::move(all->transaction);
  }
  void commit(Cause cause, Transaction transaction) {
    transaction.provenance.cause = cause;
    before_ = state_;
    state_ = committed(state_, transaction);
    last_ = std::move(transaction);
  }

 private:
  State state_;
  State before_;
  Transaction last_;
};

// ---- a history, as it is drawn ----

std::vector<RulesetDraft> random_rulesets(const std::string& name) {
  std::vector<RulesetDraft> rulesets;
  RulesetDraft drawn{{name, true, 10}, {}};
  for (int count = below(4); count > 0; --count)
    drawn.rules.push_back(random_rule(name + ' ' + std::to_string(count)));
  rulesets.push_back(std::move(drawn));
  if (below(2) == 0)
    for (RulesetDraft& shipped :
         engine::export_rules(committed(State(), engine::plan_default_rulesets(State())).catalog))
      rulesets.push_back(std::move(shipped));
  return rulesets;
}

std::optional<Deed> draw_import(World& world) {
  Import import{random_file(3), {}, below(2) == 0};
  if (below(3) == 0) {
    import.parent = random_topology_id();
    if (!world.state().graph.find_newest(Kind::topology, import.parent)) import.parent.clear();
  }
  if (!world.import(import)) return std::nullopt;
  return import;
}

// Nothing but itself changes, neither with it nor by the rules.
bool commit_alone(World& world, Transaction transaction) {
  if (transaction.records.size() != 1) return false;
  const Transaction followed = world.followed(transaction);
  if (followed.records.size() != 1 ||
      !(followed.records.front().after == transaction.records.front().after))
    return false;
  world.commit(Cause::edit, followed);
  return true;
}

std::optional<Deed> draw_edit(World& world) {
  const auto& graph = world.state().graph;
  Edit edit{.element = {}, .record = any_record(world.state()), .edit = {}, .deletes = false};
  if (!edit.record || graph.kind(edit.record) == Kind::topology) return std::nullopt;
  edit.element = {graph.kind(edit.record), std::string(graph.attributes(edit.record).id())};
  if (graph.find(edit.element.kind, edit.element.identifier).size() != 1) return std::nullopt;
  edit.deletes = below(4) == 0;
  if (below(2) == 0)
    edit.edit.name = "edited " + std::to_string(below(3));
  else
    edit.edit.start = Instant{1 + below(3)};
  auto planned = world.planned(edit, edit.record);
  if (!planned || !commit_alone(world, std::move(*planned))) return std::nullopt;
  return edit;
}

std::optional<Deed> draw_creation(World& world) {
  const Creation creation{"made " + std::to_string(world.state().lsn.value), random_topology_id()};
  auto planned = world.planned(creation);
  if (!planned || !commit_alone(world, std::move(*planned))) return std::nullopt;
  return creation;
}

std::optional<Deed> draw_rule_change(World& world) {
  const RuleChange change{random_rulesets("later")};
  world.commit(Cause::rule, world.followed(world.planned(change)));
  return change;
}

std::optional<Deed> draw_deed(World& world) {
  switch (below(8)) {
    case 0:
    case 1:
      return draw_edit(world);
    case 2:
      return draw_creation(world);
    case 3:
      return draw_rule_change(world);
    default:
      return draw_import(world);
  }
}

// ---- the two ways ----

// What `deed` is under other rules. `happened` is its transaction of the history.
void do_again(World& world, const Deed& deed, const Transaction& happened, RecordId first_own) {
  if (const auto* import = std::get_if<Import>(&deed)) {
    world.import(*import);
    return;
  }
  std::optional<Transaction> planned;
  if (const auto* edit = std::get_if<Edit>(&deed))
    planned = world.planned(*edit, world.find(*edit, first_own));
  else if (const auto* creation = std::get_if<Creation>(&deed))
    planned = world.planned(*creation);
  else
    planned = engine::empty_transaction(world.state());  // these rules stay in force
  if (happened.records.empty()) return;
  world.commit(Cause::edit, world.followed(planned ? std::move(*planned)
                                                   : engine::empty_transaction(world.state())));
}

void rehearse(RulesRehearsal& rehearsal, const Deed& deed, const World& history) {
  const RulesRehearsal::Happened happened{history.last(), history.before(), history.state()};
  const auto* import = std::get_if<Import>(&deed);
  if (import == nullptr) {
    const Status carried = rehearsal.carry_over(happened);
    if (!carried) RC_FAIL(carried.error().message);
    return;
  }
  const auto& graph = history.before().graph;
  const auto parent =
      rehearsal.counterpart(graph, graph.find_newest(Kind::topology, import->parent));
  if (!parent) return rehearsal.refuse(happened);
  engine::ImportOptions options;
  options.parent = *parent;
  options.collisions = engine::CollisionPolicy::by_rules;
  options.propagate_topology_deletion = import->propagate;
  const State base = rehearsal.base(history.before());
  const auto plan = engine::plan_import(base, *codecs::read_netml(import->xml), options);
  if (!plan) return rehearsal.refuse(happened);
  const Status planned = rehearsal.import(happened, plan->transaction);
  if (!planned) RC_FAIL(planned.error().message);
}

void expect_same_graph(const engine::Graph& a, const engine::Graph& b) {
  const std::string differs = difference(content_lines(a), content_lines(b));
  if (!differs.empty()) RC_FAIL(differs);
  RC_ASSERT(Difference(a, b).empty());
  RC_ASSERT(a.digest() == b.digest());
}

World drawn_past() {
  World world;
  world.commit(Cause::rule, world.followed(world.planned(RuleChange{random_rulesets("first")})));
  for (int deeds = 1 + below(3); deeds > 0; --deeds) draw_import(world);
  return world;
}

State with_rules(const State& state, const std::vector<RulesetDraft>& rulesets) {
  return committed(state, engine::plan_rules_import(state, rulesets).transaction);
}

RC_GTEST_PROP(RulesRehearsal, LeadsWhereARealRunLeads, ()) {
  World history = drawn_past();
  const State start = history.state();
  const State changed = with_rules(start, random_rulesets("first"));
  World real(changed);
  auto rehearsal = RulesRehearsal::begin(start, changed.catalog);
  RC_ASSERT(rehearsal.has_value());
  real.commit(Cause::rule, engine::plan_rules_run(changed).transaction);
  for (int deeds = 1 + below(6); deeds > 0; --deeds) {
    const auto deed = draw_deed(history);
    if (!deed) continue;
    do_again(real, *deed, history.last(), start.graph.next_id());
    rehearse(*rehearsal, *deed, history);
    expect_same_graph(real.state().graph, rehearsal->graph());
  }
  RC_CLASSIFY(!Difference(history.state().graph, real.state().graph).empty(), "rules differ");
}

RC_GTEST_PROP(RulesRehearsal, WithTheRulesThatWereInForceDiffersNowhere, ()) {
  World history = drawn_past();
  auto rehearsal = RulesRehearsal::begin(history.state(), history.state().catalog);
  RC_ASSERT(rehearsal.has_value());
  for (int deeds = 1 + below(6); deeds > 0; --deeds) {
    auto deed = draw_deed(history);
    if (!deed || std::holds_alternative<RuleChange>(*deed)) break;
    rehearse(*rehearsal, *deed, history);
    RC_ASSERT(rehearsal->difference_after_step(history.state().graph).empty());
    expect_same_graph(history.state().graph, rehearsal->graph());
  }
}

// Rules that were in force before but for one that never matches: all is carried over step by step,
// also imports, as if their files were gone, and the rules run again on what they left.
RC_GTEST_PROP(RulesRehearsal, CarriesOverWhatHappened, ()) {
  World history;
  history.commit(Cause::rule, engine::plan_default_rulesets(history.state()));
  for (int deeds = 1 + below(3); deeds > 0; --deeds) draw_import(history);
  engine::Rule idle;
  idle.name = "idle";
  idle.criteria = {{0, "Match Nodes by Topology", {{0, "Topology ID", "no such topology"}}}};
  idle.actions = {{0, "Delete Node", {}}};
  const State changed = with_rules(history.state(), {{{"Idle", true, 10}, {idle}}});
  auto rehearsal = RulesRehearsal::begin(history.state(), changed.catalog);
  RC_ASSERT(rehearsal.has_value());
  for (int deeds = 1 + below(6); deeds > 0; --deeds) {
    const auto deed = below(3) == 0 ? draw_edit(history) : draw_import(history);
    if (!deed) continue;
    const Status carried =
        rehearsal->carry_over({history.last(), history.before(), history.state()});
    if (!carried) RC_FAIL(carried.error().message);
    RC_ASSERT(rehearsal->left_out() == 0U);
    const std::string differs =
        difference(content_lines(history.state().graph), content_lines(rehearsal->graph()));
    if (!differs.empty()) RC_FAIL(differs);
  }
}

}  // namespace
}  // namespace netml::test
