// Steps 0 and 5 of an import: the collation rules (docs/requirements/collation-rules.md).
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/catalog/rule_hits.hpp"
#include "engine/import/detail/import_planner.hpp"
#include "engine/rules/copies.hpp"

namespace netml::engine {

namespace {

template <class Visit>
void for_each_id_criterion(const Rule& rule, Visit&& visit) {
  for (const MatchCriterion& criterion : rule.criteria)
    if (const MatchType* type = find_match_type(criterion.type); type->kind == MatchKind::by_id)
      visit(type->element, *criterion.value("ID"));
}

using ElementId = std::pair<Kind, std::string_view>;
struct ElementIdHash {
  std::size_t operator()(const ElementId& id) const {
    return std::hash<std::string_view>()(id.second) + static_cast<std::size_t>(id.first);
  }
};

// Without those that name an identifier which nothing has: they match nothing, whatever the
// others do, because no rule changes an identifier.
std::vector<NumberedRule> that_may_match(const ImportContext& context,
                                         std::vector<NumberedRule> rules) {
  boost::unordered_flat_set<ElementId, ElementIdHash> missing;
  for (const NumberedRule& rule : rules)
    for_each_id_criterion(*rule.rule, [&](Kind kind, std::string_view id) {
      if (!context.graph().find_newest(kind, id)) missing.emplace(kind, id);
    });
  if (missing.empty()) return rules;
  // Rules that name identifiers are many, elements are more: one pass for all rules together.
  for (const DocumentElement& element : context.document.elements)
    missing.erase({element.attributes->kind(), element.attributes->id()});
  // All criteria must be met, so one that nothing meets is enough.
  std::erase_if(rules, [&](const NumberedRule& rule) {
    bool matches_nothing = false;
    for_each_id_criterion(*rule.rule, [&](Kind kind, std::string_view id) {
      matches_nothing = matches_nothing || missing.contains({kind, id});
    });
    return matches_nothing;
  });
  return rules;
}

// The kind whose duplicates the rule unites, when that is all it does.
std::optional<Kind> kind_merged(const Rule& rule) {
  if (rule.criteria.size() != 1 || rule.actions.size() != 1) return std::nullopt;
  const MatchType& match = *find_match_type(rule.criteria.front().type);
  const ActionType& action = *find_action_type(rule.actions.front().type);
  const bool unites = match.kind == MatchKind::duplicates && action.kind == ActionKind::keep_newest;
  return unites ? std::optional(match.element) : std::nullopt;
}

// The rules begin with those of the default ruleset: each kind once, in any order.
bool begin_with_defaults(std::span<const NumberedRule> rules) {
  constexpr std::size_t kDefaults = 3;
  if (rules.size() < kDefaults) return false;
  std::array<bool, kKindCount> merged{};
  for (const NumberedRule& rule : rules.first(kDefaults))
    if (const auto kind = kind_merged(*rule.rule)) merged[static_cast<std::size_t>(*kind)] = true;
  return std::ranges::count(merged, true) == kDefaults;
}

Kind heading_of(const Rule& rule) {
  for (const MatchCriterion& criterion : rule.criteria)
    if (const MatchType* type = find_match_type(criterion.type)) return type->element;
  return Kind::topology;
}

// The record of every import would repeat them all; the first of a kind show what is wrong.
void warn_of_skipped(ImportContext& context) {
  constexpr std::uint64_t kNamed = 20;
  std::array<std::uint64_t, kKindCount> counts{};
  for (const RuleLog& log : context.rule_logs)
    if (++counts[static_cast<std::size_t>(log.element)] <= kNamed)
      context.log.warning(log.element,
                          fmt::format("rule \"{}\" skipped: {}", log.name, log.problem));
  for (std::size_t kind = 0; kind < kKindCount; ++kind)
    if (counts[kind] > kNamed)
      context.log.warning(static_cast<Kind>(kind),
                          fmt::format("{} more rules skipped", counts[kind] - kNamed));
}

std::size_t total(const ReferencesByKind& references) {
  std::size_t sum = 0;
  for (const auto& of_kind : references) sum += of_kind.size();
  return sum;
}

void take_log(ImportContext& context, RuleLog&& log) {
  if (!log.matched.empty())
    context.log.information(
        log.element,
        rule_hits_line({log.name, log.matched.size(), total(log.affected), total(log.cascaded)}));
  for (const std::string& warning : log.warnings)
    context.log.warning(log.element, fmt::format("rule \"{}\": {}", log.name, warning));
  context.rule_logs.push_back(std::move(log));
}

}  // namespace

void choose_rules(ImportContext& context) {
  const CollisionPolicy policy = context.options.collisions;
  context.keeps_newest = policy == CollisionPolicy::keep_newest;
  // Otherwise the caller has said what becomes of collisions, whatever rules there are.
  if (policy != CollisionPolicy::by_rules) return;
  std::vector<NumberedRule> ready;
  for (NumberedRule& rule : rules_in_order(context.state.catalog)) {
    // One that is not ready is skipped and reported; it stops no import.
    auto problem = rule_problem(*rule.rule);
    if (!problem) {
      ready.push_back(std::move(rule));
      continue;
    }
    RuleLog skipped;
    skipped.element = heading_of(*rule.rule);
    skipped.rule = rule.number;
    skipped.name = rule.rule->name;
    skipped.problem = std::move(*problem);
    context.rule_logs.push_back(std::move(skipped));
  }
  warn_of_skipped(context);
  context.rules = that_may_match(context, std::move(ready));
  // Groups know the records that the file names; others of one identifier are for the rules.
  // The default rules do just what groups do while they resolve, so they need no second look at all
  // records.
  if (!begin_with_defaults(context.rules) || context.graph().has_duplicates()) return;
  context.keeps_newest = true;
  for (const NumberedRule& rule : std::span(context.rules).first(3)) {
    RuleLog log;
    log.rule = rule.number;
    log.name = rule.rule->name;
    log.element = *kind_merged(*rule.rule);
    context.default_logs.push_back(std::move(log));
  }
  context.rules.erase(context.rules.begin(), context.rules.begin() + 3);
}

void run_import_rules(ImportContext& context) {
  for (RuleLog& log : context.default_logs) {
    const std::size_t kind = static_cast<std::size_t>(log.element);
    log.matched = context.merged[kind];
    log.affected[kind] = std::move(context.merged[kind]);
    take_log(context, std::move(log));
  }
  // What the groups did is reported as if the rules had done it: a log does not show the short cut.
  if (context.rules.empty()) return;
  for (RuleLog& log : run_rules(context.workspace, context.rules))
    take_log(context, std::move(log));
  resolve_copies(context.workspace);
}

}  // namespace netml::engine
