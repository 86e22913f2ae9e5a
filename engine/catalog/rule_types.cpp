#include <algorithm>
#include <array>

#include "engine/catalog/rules.hpp"

namespace netml::engine {

namespace {

constexpr std::array<std::string_view, 0> kNoKeys{};
constexpr std::array<std::string_view, 1> kId{"ID"};
constexpr std::array<std::string_view, 1> kTopologyId{"Topology ID"};
constexpr std::array<std::string_view, 1> kName{"name"};
constexpr std::array<std::string_view, 1> kValue{"value"};

constexpr std::array<MatchType, 9> kMatchTypes{{
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
}};

constexpr std::array<ActionType, 18> kActionTypes{{
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

}  // namespace netml::engine
