// A file that is known is planned without its elements. Whatever was imported, edited or ruled
// before, that plan is the one that reading the file again gives
// (docs/decisions/011-known-files.md).
#include "engine/import/known_file.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "engine/edit/plan_records.hpp"
#include "engine/rules/plan_rules.hpp"
#include "tests/support/random_files.hpp"
#include "tests/support/random_history.hpp"
#include "tests/support/read_netml.hpp"

namespace netml::test {
namespace {

using engine::ImportPlan;
using engine::State;

// What is sent again and again, and what is known of it.
struct Sender {
  std::string xml;
  std::string parent;  // identifier; none: the top level
  engine::ImportOptions options = {};
  std::shared_ptr<const engine::KnownFile> known = {};
  int contents = 0;  // as they were when it was noted
};

Sender random_sender(engine::CollisionPolicy policy) {
  Sender sender;
  sender.xml = random_file(5, *rc::gen::element(Marks::any, Marks::homes));
  if (below(3) == 0) sender.parent = random_topology_id();
  sender.options.collisions = policy;
  sender.options.propagate_topology_deletion = *rc::gen::arbitrary<bool>();
  RC_LOG() << "below \"" << sender.parent << "\":\n" << sender.xml << '\n';
  return sender;
}

void expect_same_rules(const ImportPlan& quick, const ImportPlan& full) {
  RC_ASSERT(quick.rules.size() == full.rules.size());
  for (std::size_t i = 0; i < full.rules.size(); ++i) {
    RC_ASSERT(quick.rules[i].rule == full.rules[i].rule);
    RC_ASSERT(quick.rules[i].problem == full.rules[i].problem);
    RC_ASSERT(quick.rules[i].matched.size() == full.rules[i].matched.size());
  }
}

void expect_same(const ImportPlan& quick, const ImportPlan& full) {
  RC_ASSERT(full.transaction.records.empty());
  RC_ASSERT(full.transaction.numberings.empty());
  RC_ASSERT(quick.transaction.records.empty());
  RC_ASSERT(quick.transaction.numberings.empty());
  RC_ASSERT(quick.transaction.renumberings == full.transaction.renumberings);
  RC_ASSERT(quick.transaction.next_id == full.transaction.next_id);
  RC_ASSERT(quick.transaction.next_number == full.transaction.next_number);
  RC_ASSERT(quick.log.text() == full.log.text());
  RC_ASSERT(quick.log.status() == full.log.status());
  RC_ASSERT(quick.log.counts() == full.log.counts());
  RC_ASSERT(quick.covered == full.covered);
  RC_ASSERT(quick.root == full.root);
  RC_ASSERT(quick.parent == full.parent);
  expect_same_rules(quick, full);
}

class KnownHistory {
 public:
  explicit KnownHistory(State start) : state_(std::move(start)) {}

  void import(Sender& sender) {
    const auto document = codecs::read_netml(sender.xml);
    RC_ASSERT(document.has_value());
    sender.options.parent = state_.graph.find_newest(Kind::topology, sender.parent);
    const auto full = engine::plan_import(state_, *document, sender.options);
    if (sender.known != nullptr && sender.contents == contents_)
      if (const auto quick = engine::plan_known_file(state_, *sender.known, sender.options)) {
        RC_ASSERT(full.has_value());
        expect_same(*quick, *full);
        ++known_;
      }
    if (!full) return;
    apply(full->transaction);
    sender.known = full->known;
    sender.contents = contents_;
  }

  void edit() {
    if (state_.graph.size() == 0) return;
    const RecordId record = any_record(state_);
    engine::RecordEdit changed;
    changed.name = "edited " + std::to_string(below(3));
    const auto planned = below(2) == 0 ? engine::plan_record_update(state_, record, changed)
                                       : engine::plan_record_delete(state_, record);
    if (planned) apply(*planned);
  }

  // A rule that must be asked, and never does anything.
  void add_idle_rule() {
    const auto rulesets = engine::rulesets_in_order(state_.catalog);
    if (rulesets.empty()) return;
    engine::Rule rule;
    rule.ruleset = rulesets.front();
    rule.name = "idle " + std::to_string(state_.catalog.rules.next_number());
    const std::string id = below(2) == 0 ? "no such topology" : random_topology_id();
    rule.criteria = {{0, "Match Nodes by Topology", {{0, "Topology ID", id}}},
                     {0, "Match Nodes by Topology", {{0, "Topology ID", "nor this one"}}}};
    rule.actions = {{0, "Delete Node", {}}};
    if (const auto planned = engine::plan_rule_put(state_, 0, std::move(rule))) apply(*planned);
  }

  int known() const { return known_; }

 private:
  void apply(const engine::Transaction& transaction) {
    contents_ += transaction.records.empty() ? 0 : 1;
    state_ = committed(state_, transaction);
  }

  State state_;
  int contents_ = 0;
  int known_ = 0;
};

void run(State start, engine::CollisionPolicy policy) {
  KnownHistory history(std::move(start));
  std::vector<Sender> senders;
  for (int count = 1 + below(3); count > 0; --count) senders.push_back(random_sender(policy));
  for (int step = 0; step < 10; ++step) {
    const int drawn = below(24);
    if (drawn == 0)
      history.add_idle_rule();
    else if (drawn < 4)
      history.edit();
    else
      history.import(senders[static_cast<std::size_t>(below(static_cast<int>(senders.size())))]);
  }
  RC_CLASSIFY(history.known() > 0);
}

RC_GTEST_PROP(KnownFile, IsPlannedAsIfItWereReadUnderTheDefaultRules, ()) {
  const State none;
  run(committed(none, engine::plan_default_rulesets(none)), engine::CollisionPolicy::by_rules);
}

RC_GTEST_PROP(KnownFile, IsPlannedAsIfItWereReadWithoutRules, ()) {
  run({}, engine::CollisionPolicy::keep_newest);
}

RC_GTEST_PROP(KnownFile, IsPlannedAsIfItWereReadWhereCollisionsStay, ()) {
  run({},
      *rc::gen::element(engine::CollisionPolicy::keep_separate, engine::CollisionPolicy::by_rules));
}

}  // namespace
}  // namespace netml::test
