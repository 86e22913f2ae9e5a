#include "tests/support/rules_harness.hpp"

#include "tests/support/content_lines.hpp"
#include "tests/support/inverse.hpp"

namespace netml::test {

using engine::RuleLog;
using engine::Transaction;

engine::RulePart part(std::string type, Infos infos) {
  engine::RulePart made{0, std::move(type), {}};
  for (const auto& [key, value] : infos) made.infos.push_back({0, key, value});
  return made;
}

engine::Rule rule(std::string name, std::vector<engine::RulePart> criteria,
                  std::vector<engine::RulePart> actions) {
  engine::Rule made;
  made.name = std::move(name);
  made.criteria = std::move(criteria);
  made.actions = std::move(actions);
  return made;
}

void RulesHarness::commit(const Transaction& transaction) {
  auto after = engine::apply(state(), transaction, state().lsn.next());
  ASSERT_TRUE(after.has_value()) << after.error().message;
  const auto undone = engine::apply(*after, engine::invert(transaction, *after), after->lsn.next());
  ASSERT_TRUE(undone.has_value()) << undone.error().message;
  EXPECT_EQ(undone->graph.content_digest(), graph().content_digest());
  EXPECT_EQ(undone->catalog_digest, state().catalog_digest);
  start_from(std::move(*after));
}

std::uint64_t RulesHarness::ruleset(const std::string& name, std::int16_t priority, bool enabled) {
  const auto planned = engine::plan_ruleset_put(state(), 0, {name, enabled, priority});
  if (!planned) {
    ADD_FAILURE() << planned.error().message;
    return 0;
  }
  commit(*planned);
  return planned->rulesets.front().number;
}

std::uint64_t RulesHarness::store(std::uint64_t ruleset, engine::Rule rule) {
  rule.ruleset = ruleset;
  const auto planned = engine::plan_rule_put(state(), 0, std::move(rule));
  if (!planned) {
    ADD_FAILURE() << planned.error().message;
    return 0;
  }
  commit(*planned);
  return planned->rules.front().number;
}

RuleLog RulesHarness::run(engine::Rule rule) {
  if (by_hand_ == 0) by_hand_ = ruleset("manually", 0, false);
  const auto planned = engine::plan_rule_run(state(), store(by_hand_, std::move(rule)));
  if (!planned) {
    ADD_FAILURE() << planned.error().message;
    return {};
  }
  commit(planned->transaction);
  return planned->logs.front();
}

std::vector<RuleLog> RulesHarness::run_all() {
  const engine::RuleRun planned = engine::plan_rules_run(state());
  commit(planned.transaction);
  return planned.logs;
}

std::string RulesHarness::content() const {
  std::string text;
  for (const std::string& line : content_lines(graph())) text += line + '\n';
  return text;
}

std::size_t affected(const RuleLog& log, Kind kind) {
  return log.affected[static_cast<std::size_t>(kind)].size();
}

std::size_t cascaded(const RuleLog& log, Kind kind) {
  return log.cascaded[static_cast<std::size_t>(kind)].size();
}

std::string message(const RuleLog& log) {
  EXPECT_EQ(log.actions.size(), 1U);
  return log.actions.empty() ? std::string() : log.actions.front().message;
}

bool aborted(const RuleLog& log) {
  return log.actions.size() == 1 && !log.actions.front().succeeded;
}

}  // namespace netml::test
