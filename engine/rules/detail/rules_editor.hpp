// Changes to rulesets and rules piled up over one catalog, until they become the entries of a
// transaction. Later changes see earlier ones, so that a file with many rulesets is taken in the
// order in which it gives them. Names and the rules of a ruleset are found without a scan.
//
// Thread: its owner.
#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

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

  // What is changed after mark() can be taken back, all of it, until the next mark().
  void mark();
  void return_to_mark();

  // What this editor changed. The editor is spent.
  Transaction finish();

 private:
  void store(std::uint64_t number, std::shared_ptr<const Ruleset> ruleset);
  void store(std::uint64_t number, std::shared_ptr<const Rule> rule);

  void list(std::uint64_t number, const Ruleset* ruleset);
  void list(std::uint64_t number, const Rule* rule);
  void unlist(std::uint64_t number, const Ruleset* ruleset);
  void unlist(std::uint64_t number, const Rule* rule);

  // An entry of a table as it was before a change.
  template <class T>
  struct Before {
    std::uint64_t number = 0;
    std::shared_ptr<const T> entry;
  };

  const State* state_;
  Table<Ruleset> rulesets_;
  Table<Rule> rules_;
  std::unordered_map<std::string, std::uint64_t> ruleset_names_;
  std::unordered_map<std::string, std::uint64_t> rule_names_;
  std::unordered_map<std::uint64_t, std::set<std::uint64_t>> rules_inside_;  // by ruleset
  std::set<std::uint64_t> rulesets_touched_;
  std::set<std::uint64_t> rules_touched_;

  // Since the mark. Copies of a table share what they have in common; the indexes go back step by
  // step.
  Table<Ruleset> marked_rulesets_;
  Table<Rule> marked_rules_;
  std::vector<Before<Ruleset>> rulesets_before_;
  std::vector<Before<Rule>> rules_before_;
};

}  // namespace netml::engine
