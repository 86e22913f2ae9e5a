// Changes to rulesets and rules piled up over one catalog, until they become the entries of a
// transaction. Later changes see earlier ones, so that a file with many rulesets is taken in the
// order in which it gives them. Names and the rules of a ruleset are found without a scan.
//
// Thread: its owner.
#pragma once

#include <set>
#include <string>

#include "engine/rules/plan_rules.hpp"

namespace netml::engine {

class RulesEditor {
 public:
  // `state` must outlive the editor.
  explicit RulesEditor(const State& state);

  const Table<Ruleset>& rulesets() const { return rulesets_; }
  const Table<Rule>& rules() const { return rules_; }

  // Number 0 creates; returns the number. Errors as plan_ruleset_put and plan_rule_put.
  Result<std::uint64_t> put(std::uint64_t number, Ruleset ruleset);
  Result<std::uint64_t> put(std::uint64_t number, Rule rule);
  // The entry must exist.
  void remove_ruleset(std::uint64_t number);  // with its rules
  void remove_rule(std::uint64_t number);

  // 0 when there is none.
  std::uint64_t ruleset_named(const std::string& name) const;
  std::uint64_t rule_named(const std::string& name) const;

  // What is changed after mark() can be reverted, all of it, until the next mark().
  void mark();
  void return_to_mark();

  // What this editor changed. The editor is spent.
  Transaction finish();

 private:
  void store(std::uint64_t number, std::shared_ptr<const Ruleset> ruleset);
  void store(std::uint64_t number, std::shared_ptr<const Rule> rule);

  const State* state_;
  Table<Ruleset> rulesets_;
  Table<Rule> rules_;
  std::set<std::uint64_t> rulesets_touched_;
  std::set<std::uint64_t> rules_touched_;

  // Copies of a table share what they have in common.
  Table<Ruleset> marked_rulesets_;
  Table<Rule> marked_rules_;
};

}  // namespace netml::engine
