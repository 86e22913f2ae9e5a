#include "engine/catalog/rules.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "engine/base/result.hpp"

namespace netml::engine {

namespace {

constexpr std::array<std::string_view, 0> kNoKeys{};
constexpr std::array<std::string_view, 1> kId{"ID"};
constexpr std::array<std::string_view, 1> kTopologyId{"Topology ID"};
constexpr std::array<std::string_view, 1> kName{"name"};
constexpr std::array<std::string_view, 1> kValue{"value"};

constexpr std::array<MatchType, 10> kMatchTypes{{
    {{"MatchInstitutionsByID", "Match Institutions by ID", Kind::institution, kId, kNoKeys},
     MatchKind::by_id},
    {{"MatchNodesByID", "Match Nodes by ID", Kind::node, kId, kNoKeys}, MatchKind::by_id},
    {{"MatchLinksByID", "Match Links by ID", Kind::link, kId, kNoKeys}, MatchKind::by_id},
    {{"MatchInstitutionsByTopology", "Match Institutions by Topology", Kind::institution,
      kTopologyId, kNoKeys},
     MatchKind::by_topology},
    {{"MatchNodesByTopology", "Match Nodes by Topology", Kind::node, kTopologyId, kNoKeys},
     MatchKind::by_topology},
    {{"MatchLinksByTopology", "Match Links by Topology", Kind::link, kTopologyId, kNoKeys},
     MatchKind::by_topology},
    {{"MatchInstitutionsByIDDuplicate", "Match Duplicate Institutions", Kind::institution, kNoKeys,
      kNoKeys},
     MatchKind::duplicates},
    {{"MatchNodesByIDDuplicate", "Match Duplicate Nodes", Kind::node, kNoKeys, kNoKeys},
     MatchKind::duplicates},
    {{"MatchLinksByIDDuplicate", "Match Duplicate Links", Kind::link, kNoKeys, kNoKeys},
     MatchKind::duplicates},
    {{"MatchNodesWithHalfLinks", "Match Nodes with Half Links", Kind::node, kNoKeys, kNoKeys},
     MatchKind::half_links},
}};

constexpr std::array<ActionType, 19> kActionTypes{{
    {{"DeleteInstitution", "Delete Institution", Kind::institution, kNoKeys, kNoKeys},
     ActionKind::remove},
    {{"DeleteNode", "Delete Node", Kind::node, kNoKeys, kNoKeys}, ActionKind::remove},
    {{"DeleteLink", "Delete Link", Kind::link, kNoKeys, kNoKeys}, ActionKind::remove},
    {{"DeleteInstitutionProperty", "Delete Institution Property", Kind::institution, kName, kValue},
     ActionKind::remove_property},
    {{"DeleteNodeProperty", "Delete Node Property", Kind::node, kName, kValue},
     ActionKind::remove_property},
    {{"DeleteLinkProperty", "Delete Link Property", Kind::link, kName, kValue},
     ActionKind::remove_property},
    {{"DeleteInstitutionTagProperty", "Delete Institution Tag Property", Kind::institution, kValue,
      kNoKeys},
     ActionKind::remove_tag},
    {{"DeleteNodeTagProperty", "Delete Node Tag Property", Kind::node, kValue, kNoKeys},
     ActionKind::remove_tag},
    {{"DeleteLinkTagProperty", "Delete Link Tag Property", Kind::link, kValue, kNoKeys},
     ActionKind::remove_tag},
    {{"ReplaceInstitution", "Replace with Institution", Kind::institution, kId, kTopologyId},
     ActionKind::replace},
    {{"ReplaceNode", "Replace with Node", Kind::node, kId, kTopologyId}, ActionKind::replace},
    {{"ReplaceLink", "Replace with Link", Kind::link, kId, kTopologyId}, ActionKind::replace},
    {{"MergeInstitution", "Merge into Institution", Kind::institution, kId, kTopologyId},
     ActionKind::merge},
    {{"MergeNode", "Merge into Node", Kind::node, kId, kTopologyId}, ActionKind::merge},
    {{"MergeLink", "Merge into Link", Kind::link, kId, kTopologyId}, ActionKind::merge},
    {{"KeepNewestInstitution", "Keep Newest Institution", Kind::institution, kNoKeys, kNoKeys},
     ActionKind::keep_newest},
    {{"KeepNewestNode", "Keep Newest Node", Kind::node, kNoKeys, kNoKeys}, ActionKind::keep_newest},
    {{"KeepNewestLink", "Keep Newest Link", Kind::link, kNoKeys, kNoKeys}, ActionKind::keep_newest},
    {{"JoinHalfLinks", "Join Half Links", Kind::node, kNoKeys, kNoKeys},
     ActionKind::join_half_links},
}};

template <class Types>
auto find_named(const Types& types, std::string_view name) -> decltype(types.data()) {
  const auto found = std::ranges::find(types, name, [](const RuleType& type) { return type.name; });
  return found == types.end() ? nullptr : &*found;
}

}  // namespace

std::span<const MatchType> match_types() {
  return kMatchTypes;
}

std::span<const ActionType> action_types() {
  return kActionTypes;
}

const MatchType* find_match_type(std::string_view name) {
  return find_named(kMatchTypes, name);
}

const ActionType* find_action_type(std::string_view name) {
  return find_named(kActionTypes, name);
}

// ---- the health check ----

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
