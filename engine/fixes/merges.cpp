#include "engine/fixes/merges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <tuple>

#include "engine/base/lower_case.hpp"
#include "engine/base/texts.hpp"
#include "engine/fixes/owner_search.hpp"
#include "engine/graph/document.hpp"
#include "engine/quality/geography.hpp"
#include "engine/quality/stated_country.hpp"

namespace netml::engine {

std::size_t Duplicates::place_for(RecordId record) {
  const auto [found, is_new] = places_.try_emplace(record, groups_.size());
  if (is_new) groups_.push_back({record});
  return found->second;
}

void Duplicates::join(RecordId a, RecordId b) {
  std::size_t larger = place_for(a);
  std::size_t smaller = place_for(b);
  if (larger == smaller) return;
  if (groups_[larger].size() < groups_[smaller].size()) std::swap(larger, smaller);
  for (const RecordId record : groups_[smaller]) {
    places_[record] = larger;
    groups_[larger].push_back(record);
  }
  groups_[smaller] = {};
}

const std::vector<RecordId>& Duplicates::group_of(RecordId record) const {
  return groups_[place_of(record)];
}

namespace {

// Two buildings of one campus are one place of an institution; two devices in them are two.
constexpr double kInstitutionKm = 50;
constexpr double kNodeKm = 1;

std::string name_of(const Graph& graph, RecordId id) {
  return lower_case(trimmed(graph.attributes(id).name()));
}

// Nothing where one of them has no place.
std::optional<double> apart(const Graph& graph, RecordId a, RecordId b) {
  const auto of_a = graph.attributes(a).coordinates();
  const auto of_b = graph.attributes(b).coordinates();
  if (!of_a || !of_b || *of_a == Coordinates{} || *of_b == Coordinates{}) return std::nullopt;
  return kilometres(*of_a, *of_b);
}

// ---- what says that two are not one; empty: nothing does ----

std::string doubt_of_institutions(const Inspection& map, Check check, RecordId a, RecordId b) {
  const auto is_global = [&](RecordId id) {
    return map.graph.attributes(id).id() == kGlobalInstitutionId;
  };
  if (check == Check::name_repeated && (is_global(a) || is_global(b)))
    return "what nobody owns is the global institution's, which is no other";
  const auto country_of = [&](RecordId id) {
    return StatedCountry(map.countries, map.graph.attributes(id)).get();
  };
  const auto of_a = country_of(a);
  const auto of_b = country_of(b);
  if (of_a && of_b && of_a != of_b) return "they name different countries";
  const auto distance = apart(map.graph, a, b);
  if (distance > kInstitutionKm) return fmt::format("they are {:.0f} km apart", *distance);
  return {};
}

// A link between two that become one would go.
bool is_joined(const Graph& graph, RecordId node, const RecordSet& others) {
  bool joined = false;
  graph.for_each_referrer(node, [&](RecordId link) {
    for (const RecordId end : graph.relations(link).ends())
      joined = joined || (end != node && others.contains(end));
  });
  return joined;
}

std::string doubt_of_nodes(const Graph& graph, Check check, RecordId a, RecordId b) {
  if (check == Check::name_repeated) return "two nodes of one name are often meant";
  const auto distance = apart(graph, a, b);
  if (distance > kNodeKm) return fmt::format("they are {:.0f} km apart", *distance);
  if (!distance && name_of(graph, a) != name_of(graph, b))
    return "they have different names, and no place that is the same";
  const std::vector<RecordId> of_a = true_owners(graph, a);
  const std::vector<RecordId> of_b = true_owners(graph, b);
  if (!of_a.empty() && !of_b.empty() && std::ranges::find_first_of(of_a, of_b) == of_a.end())
    return "they have different owners";
  return {};
}

std::string doubt_of_links(const Graph& graph, RecordId a, RecordId b) {
  const auto of_a = graph.relations(a).ends();
  const auto of_b = graph.relations(b).ends();
  if (std::ranges::is_permutation(of_a, of_b)) return {};
  return "their ends differ";
}

std::string doubt(const Inspection& map, Check check, RecordId a, RecordId b) {
  switch (map.graph.kind(a)) {
    case Kind::topology:
      return "topologies are not merged";
    case Kind::institution:
      return doubt_of_institutions(map, check, a, b);
    case Kind::node:
      return doubt_of_nodes(map.graph, check, a, b);
    case Kind::link:
      return doubt_of_links(map.graph, a, b);
  }
  return {};
}

// ---- which is kept ----

struct Rank {
  bool is_original = false;
  std::size_t referrers = 0;
};

Rank rank_of(const Graph& graph, RecordId id) {
  return {!graph.attributes(id).is_copy(), graph.referrers(id).size()};
}

// In words, against the next best.
std::string reason_of(const Graph& graph, RecordId kept, const Rank& first, const Rank& second) {
  if (first.is_original != second.is_original) return "which is no copy";
  if (first.referrers == second.referrers) return "which has been here longest";
  return fmt::format(
      "{}, {}", graph.kind(kept) == Kind::institution ? "which owns most" : "which has most links",
      first.referrers);
}

template <class T, class Same>
void add_missing(std::vector<T>& items, std::span<const T> others, Same&& wanted) {
  for (const T& each : others)
    if (wanted(each) && std::ranges::find(items, each) == items.end()) items.push_back(each);
}

// The place with its altitude, which says little without it.
void take_missing(AttributeFields& fields, const AttributeFields& other) {
  for_each_text([&](const auto& text) {
    if ((fields.*text.member).empty()) fields.*text.member = other.*text.member;
  });
  const bool has_place = fields.coordinates && *fields.coordinates != Coordinates{};
  if (has_place || !other.coordinates) return;
  fields.coordinates = other.coordinates;
  fields.altitude = other.altitude;
}

AttributesPtr with_fields_of(const AttributesPtr& kept, std::span<const AttributesPtr> others) {
  AttributeFields fields = kept->fields();
  std::vector<Property> properties = kept->properties();
  const auto is_wanted = [](const Property& each) {
    return !each.name.starts_with(kReservedPrefix);
  };
  for (const AttributesPtr& other : others) {
    take_missing(fields, other->fields());
    add_missing(properties, std::span<const Property>(other->properties()), is_wanted);
  }
  fields.properties = properties;
  return Attributes::make(fields);
}

}  // namespace

Merge choose_merge(const Inspection& map, Check check, std::span<const RecordId> group) {
  std::vector<std::pair<Rank, RecordId>> ranked;
  for (const RecordId id : group) ranked.emplace_back(rank_of(map.graph, id), id);
  const auto order = [](const auto& each) {
    const auto& [rank, id] = each;
    return std::tuple(!rank.is_original, ~rank.referrers, id);
  };
  std::ranges::sort(ranked, {}, order);
  Merge merge{.kept = ranked[0].second, .reason = {}, .merged = {}, .left = {}};
  merge.reason = reason_of(map.graph, merge.kept, ranked[0].first, ranked[1].first);
  RecordSet one{merge.kept};
  for (const auto& [rank, id] : std::span(ranked).subspan(1)) {
    std::string reason = doubt(map, check, merge.kept, id);
    if (reason.empty() && map.graph.kind(id) == Kind::node && is_joined(map.graph, id, one))
      reason = "a link joins them";
    if (!reason.empty()) {
      merge.left.push_back({id, std::move(reason)});
      continue;
    }
    merge.merged.push_back(id);
    one.insert(id);
  }
  std::ranges::sort(merge.merged);
  return merge;
}

namespace {

// The topologies and owners of all of them; the global institution owns what nobody owns.
RelationsPtr with_relations_of(const Workspace& workspace, const Merge& merge) {
  const RelationsPtr kept = workspace.record(merge.kept).relations;
  RelationFields fields = kept->fields();
  std::vector<RecordId> topologies(fields.topologies.begin(), fields.topologies.end());
  std::vector<RecordId> owners(fields.owners.begin(), fields.owners.end());
  for (const RecordId id : merge.merged) {
    const RelationsPtr other = workspace.record(id).relations;
    std::ranges::copy(other->topologies(), std::back_inserter(topologies));
    std::ranges::copy(other->owners(), std::back_inserter(owners));
  }
  sort_each_once(topologies);
  sort_each_once(owners);
  const auto is_global = [&](RecordId id) {
    return workspace.record(id).id() == kGlobalInstitutionId;
  };
  if (!std::ranges::all_of(owners, is_global)) std::erase_if(owners, is_global);
  fields.topologies = topologies;
  fields.owners = owners;
  return Relations::make(fields);
}

}  // namespace

void apply_merge(Workspace& workspace, const Merge& merge) {
  std::vector<AttributesPtr> others;
  for (const RecordId id : merge.merged) others.push_back(workspace.record(id).attributes);
  workspace.put(merge.kept, {with_fields_of(workspace.record(merge.kept).attributes, others),
                             with_relations_of(workspace, merge)});
  for (const RecordId id : merge.merged) workspace.forward(id, merge.kept);
}

}  // namespace netml::engine
