// Which rules run, and in which order (docs/requirements/collation-rules.md, section 4).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/rules/run_rules.hpp"
#include "engine/transaction/workspace.hpp"

namespace netml::engine {

struct NumberedRule {
  std::uint64_t number = 0;
  std::shared_ptr<const Rule> rule;
};

// The enabled rules of these rulesets, one ruleset after the other.
std::vector<NumberedRule> enabled_rules_of(const Catalog& catalog,
                                           std::span<const std::uint64_t> rulesets);
// The enabled rules of all enabled rulesets.
std::vector<NumberedRule> rules_in_order(const Catalog& catalog);

// Each on what the ones before it left.
std::vector<RuleLog> run_rules(Workspace& workspace, std::span<const NumberedRule> rules);

}  // namespace netml::engine
