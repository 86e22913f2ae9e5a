// Rules evaluated through indexes and as one change, against rules evaluated record by record on
// maps and sets. Whatever rules there are, and in whatever order files are imported, records edited
// and rules run, both leave the same store behind.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/edit/plan_records.hpp"
#include "engine/rules/plan_rules.hpp"
#include "engine/rules/run_rules.hpp"
#include "tests/support/content_lines.hpp"
#include "tests/support/import_harness.hpp"
#include "tests/support/inverse.hpp"
#include "tests/support/random_files.hpp"
#include "tests/support/random_history.hpp"
#include "tests/support/random_rules.hpp"
#include "tests/support/read_netml.hpp"
#include "tests/support/reference_model.hpp"
#include "tests/support/rules_harness.hpp"
#include "tests/support/transaction_builder.hpp"

namespace netml::test {
namespace {

using engine::Rule;
using engine::RulePart;
using engine::State;
using engine::Transaction;
using netml::testing::TransactionBuilder;

void log(const Rule& rule) {
  RC_LOG() << rule.name << ": ";
  for (const std::vector<RulePart>* parts : {&rule.criteria, &rule.actions})
    for (const RulePart& shown : *parts) {
      RC_LOG() << shown.type << " (";
      for (const engine::RuleInfo& info : shown.infos)
        RC_LOG() << info.key << '=' << info.value << ' ';
      RC_LOG() << ") ";
    }
  RC_LOG() << '\n';
}

// ---- both stores ----

class Pair {
 public:
  Pair() {
    commit(engine::plan_default_rulesets(state_));
    draw_rules("before", -10);
    draw_rules("after", 10);
    std::vector<Rule> in_order;
    for (const std::uint64_t ruleset : engine::rulesets_in_order(state_.catalog))
      for (const std::uint64_t number : engine::rules_of(state_.catalog, ruleset))
        in_order.push_back(*state_.catalog.rules.find(number));
    model_.use(std::move(in_order));
  }

  void import() {
    const std::string xml = random_file(4);
    const bool propagate = below(2) == 0;
    const std::string parent = below(3) == 0 ? random_topology_id() : std::string();
    RC_LOG() << "import below \"" << parent << "\", propagate " << propagate << ":\n"
             << xml << '\n';
    const auto document = codecs::read_netml(xml);
    RC_ASSERT(document.has_value());
    engine::ImportOptions options;
    options.parent = state_.graph.find_newest(Kind::topology, parent);
    options.collisions = engine::CollisionPolicy::by_rules;
    options.propagate_topology_deletion = propagate;
    const auto plan = engine::plan_import(state_, *document, options);
    RC_ASSERT(model_.import(*document, parent, options.collisions, propagate) == plan.has_value());
    if (plan) commit(plan->transaction);
  }

  void rename_something() {
    const Kind kind = *rc::gen::element(Kind::institution, Kind::node, Kind::link);
    const RecordId id = state_.graph.find_newest(kind, random_id(static_cast<int>(kind) - 1));
    if (!id) return;
    RC_LOG() << "rename " << state_.graph.attributes(id).id() << '\n';
    TransactionBuilder edit(state_);
    edit.rename(id, "manually");
    Transaction transaction = edit.finish();
    model_.change(kind, state_.graph.attributes(id).id(),
                  transaction.records.front().after.attributes);
    commit_with_rules(std::move(transaction));
  }

  void delete_something() {
    const Kind kind = *rc::gen::element(Kind::institution, Kind::node, Kind::link);
    const std::string id = random_id(static_cast<int>(kind) - 1);
    const RecordId record = state_.graph.find_newest(kind, id);
    if (!record) return;
    RC_LOG() << "delete " << id << '\n';
    auto edit = engine::plan_record_delete(state_, record);
    if (!edit) RC_FAIL(edit.error().message);
    model_.delete_newest(kind, id);
    commit_with_rules(std::move(*edit));
  }

  // Often a duplicate.
  void add_node() {
    const std::string topology = random_topology_id();
    const std::string owner = random_id(0);
    const RecordId home = state_.graph.find_newest(Kind::topology, topology);
    const RecordId institution = state_.graph.find_newest(Kind::institution, owner);
    if (!home || !institution) return;
    TransactionBuilder edit(state_);
    const std::string id = random_id(1);
    RC_LOG() << "add node " << id << " to " << topology << ", owned by " << owner << '\n';
    edit.node(id, home, institution);
    Transaction transaction = edit.finish();
    model_.add_node(transaction.records.front().after.attributes, topology, owner);
    commit_with_rules(std::move(transaction));
  }

  void run_rules() {
    RC_LOG() << "run\n";
    model_.run_rules();
    commit(engine::plan_rules_run(state_).transaction);
  }

  void expect_same() const {
    const std::string differs = difference(content_lines(state_.graph), model_.lines());
    if (!differs.empty()) RC_FAIL(differs);
  }

 private:
  void draw_rules(const std::string& name, std::int16_t priority) {
    const auto ruleset = engine::plan_ruleset_put(state_, 0, {name, true, priority});
    RC_ASSERT(ruleset.has_value());
    commit(*ruleset);
    for (int count = below(4); count > 0; --count) {
      Rule drawn = random_rule(name + ' ' + std::to_string(count));
      log(drawn);
      drawn.ruleset = ruleset->rulesets.front().number;
      const auto planned = engine::plan_rule_put(state_, 0, std::move(drawn));
      RC_ASSERT(planned.has_value());
      commit(*planned);
    }
  }

  void commit_with_rules(Transaction transaction) {
    model_.run_rules();
    auto followed = engine::followed_by_rules(state_, std::move(transaction));
    if (!followed) RC_FAIL(followed.error().message);
    commit(followed->transaction);
  }

  void commit(const Transaction& transaction) {
    auto after = engine::apply(state_, transaction, state_.lsn.next());
    if (!after) RC_FAIL(after.error().message);
    const auto undone =
        engine::apply(*after, engine::invert(transaction, *after), after->lsn.next());
    if (!undone) RC_FAIL(undone.error().message);
    RC_ASSERT(undone->graph.content_digest() == state_.graph.content_digest());
    state_ = std::move(*after);
  }

  State state_;
  ReferenceModel model_;
};

RC_GTEST_PROP(RulesReferenceModel, AgreesOnImportsEditsAndRuns, ()) {
  Pair stores;
  stores.import();
  stores.expect_same();
  for (int steps = below(6); steps > 0; --steps) {
    switch (below(6)) {
      case 0:
        stores.rename_something();
        break;
      case 3:
        stores.delete_something();
        break;
      case 1:
        stores.add_node();
        break;
      case 2:
        stores.run_rules();
        break;
      default:
        stores.import();
    }
    stores.expect_same();
  }
}

}  // namespace
}  // namespace netml::test
