#include "engine/catalog/rules.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/result.hpp"

namespace netml::engine {

namespace {

using Problem = std::optional<std::string>;

// visit(part, type, what) for each criterion and action; `type` is null when it is unknown.
template <class Visit>
void for_each_part(const Rule& rule, Visit&& visit) {
  for (const MatchCriterion& criterion : rule.criteria)
    visit(criterion, static_cast<const RuleType*>(find_match_type(criterion.type)), "criterion");
  for (const Action& action : rule.actions)
    visit(action, static_cast<const RuleType*>(find_action_type(action.type)), "action");
}

Problem kinds_problem(const Rule& rule) {
  const RuleType* first = nullptr;
  bool mixed = false;
  for_each_part(rule, [&](const RulePart&, const RuleType* type, const char*) {
    if (type == nullptr) return;
    if (first == nullptr) first = type;
    mixed = mixed || type->element != first->element;
  });
  if (!mixed) return std::nullopt;
  return "criteria and actions concern different kinds";
}

Problem types_problem(const Rule& rule) {
  Problem problem;
  for_each_part(rule, [&](const RulePart& part, const RuleType* type, const char* what) {
    if (type == nullptr && !problem)
      problem = fmt::format("{} \"{}\": unsupported type", what, part.type);
  });
  return problem;
}

Problem infos_problem(const RulePart& part, const RuleType& type, const char* what) {
  const auto count = [&](std::string_view key) {
    return std::ranges::count(part.infos, key, &RuleInfo::key);
  };
  const auto allowed = [&](const RuleInfo& info) {
    return std::ranges::find(type.required, info.key) != type.required.end() ||
           std::ranges::find(type.optional, info.key) != type.optional.end();
  };
  for (const std::string_view key : type.required)
    if (count(key) != 1)
      return fmt::format("{} \"{}\" needs exactly one value for each of: {}", what, part.type,
                         fmt::join(type.required, ", "));
  for (const std::string_view key : type.optional)
    if (count(key) > 1)
      return fmt::format("{} \"{}\" needs at most one value for each of: {}", what, part.type,
                         fmt::join(type.optional, ", "));
  for (const RuleInfo& info : part.infos)
    if (!allowed(info))
      return fmt::format("{} \"{}\" has no use for the key \"{}\"", what, part.type, info.key);
  return std::nullopt;
}

}  // namespace

std::optional<std::string_view> RulePart::value(std::string_view key) const {
  const auto found = std::ranges::find(infos, key, &RuleInfo::key);
  if (found == infos.end()) return std::nullopt;
  return found->value;
}

std::optional<std::string> rule_problem(const Rule& rule) {
  if (rule.criteria.empty()) return "the rule has no match criteria";
  if (rule.actions.empty()) return "the rule has no actions";
  if (Problem problem = kinds_problem(rule)) return problem;
  if (Problem problem = types_problem(rule)) return problem;
  Problem problem;
  for_each_part(rule, [&](const RulePart& part, const RuleType* type, const char* what) {
    if (!problem) problem = infos_problem(part, *type, what);
  });
  return problem;
}

Kind rule_element(const Rule& rule) {
  NETML_ASSERT(!rule.criteria.empty());
  const MatchType* type = find_match_type(rule.criteria.front().type);
  NETML_ASSERT(type != nullptr);
  return type->element;
}

}  // namespace netml::engine
