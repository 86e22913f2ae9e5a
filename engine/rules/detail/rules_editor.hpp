// Changes to rulesets and rules piled up over one catalog, until they become the entries of a
// transaction. Later changes see earlier ones, so that a file with many rulesets is taken in the
// order in which it gives them. Names and the rules of a ruleset are found without a scan.
// A copy shares what it has in common with the editor: one that is given up reverts what it
// changed.
//
// Thread: its owner.
#pragma once

#include <string>

#include "engine/rules/plan_rules.hpp"

namespace netml::engine {

class RulesEditor {
 public:
  // `state` must outlive the editor.
  explicit RulesEditor(const State& state)
      : state_(&state), rulesets_(state.catalog.rulesets), rules_(state.catalog.rules) {}

  // Number 0 creates; returns the number. Errors as plan_ruleset_put and plan_rule_put.
  Result<std::uint64_t> put(std::uint64_t number, Ruleset ruleset);
  Result<std::uint64_t> put(std::uint64_t number, Rule rule);
  // The entry must exist.
  void remove_ruleset(std::uint64_t number);  // with its rules
  void remove_rule(std::uint64_t number);

  // 0 when there is none.
  std::uint64_t ruleset_named(const std::string& name) const;
  std::uint64_t rule_named(const std::string& name) const;

  // What this editor changed.
  Transaction finish() const;

 private:
  const State* state_;
  Table<Ruleset> rulesets_;
  Table<Rule> rules_;
};

}  // namespace netml::engine
