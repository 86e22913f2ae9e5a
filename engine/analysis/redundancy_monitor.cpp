#include "engine/analysis/redundancy_monitor.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/analysis/detail/element_selection.hpp"
#include "engine/analysis/detail/redundancy_checker.hpp"
#include "engine/graph/properties.hpp"
#include "engine/graph/record_sets.hpp"

namespace netml::engine {

namespace {

constexpr std::size_t kGroundNodesMax = 2'000;  // of each element
constexpr std::size_t kNotedForEachRecord = 4;  // of the map
// More are as quickly looked at with all others.
constexpr std::size_t kLinksFollowedMax = 1'000;

bool has_risk_group(const Record& record) {
  return record && any_property(*record.attributes, [](const Property& property) {
           return property.name == kRiskGroupProperty;
         });
}

bool have_common(std::span<const RecordId> ascending, std::span<const RecordId> others) {
  return std::ranges::any_of(
      others, [&](RecordId id) { return std::ranges::binary_search(ascending, id); });
}

}  // namespace

RedundancyMonitor::RedundancyMonitor(RedundancyPolicy policy) : policy_(std::move(policy)) {}

RedundancyMonitor::~RedundancyMonitor() = default;

bool RedundancyMonitor::take(const Graph& next) {
  LinkChanges changes;
  const bool followed = checker_ != nullptr && find_changes(next, changes) && follow(next, changes);
  if (!followed) check_all(next);
  last_ = next;
  return !followed;
}

// False: there are too many, or an answer is a bound, which may be another on a map that was made
// at once.
bool RedundancyMonitor::follow(const Graph& next, const LinkChanges& changes) {
  if (changes.gone.empty() && changes.fresh.empty()) return true;
  if (changes.gone.size() + changes.fresh.size() > kLinksFollowedMax) return false;
  for (const RecordId link : changes.gone) checker_->remove_link(link);
  for (const RecordId link : changes.fresh) {
    if (checker_->is_worn()) return false;
    const auto ends = next.relations(link).ends();
    checker_->add_link(link, ends[0], ends[1]);
  }
  checker_->follow_map();
  for (std::size_t place = 0; place < standings_.size(); ++place) {
    if (!may_be_another(place, changes)) continue;
    check(place);
    if (standings_[place].at_least != standings_[place].at_most) return false;
  }
  return true;
}

// ---- what a change touches ----

// False: not links alone.
bool RedundancyMonitor::find_changes(const Graph& next, LinkChanges& changes) const {
  bool links_alone = true;
  last_.for_each_difference(next, [&](RecordId id) {
    if (!links_alone) return;
    const Record before = last_.record(id);
    const Record after = next.record(id);
    if (!may_change_routes(before, after)) return;
    const Record& either = before ? before : after;
    if (either.kind() != Kind::link) {
      links_alone = !has_other_part(before, after);
      return;
    }
    links_alone = changes_links_alone(before, after);
    if (before && after && std::ranges::equal(before.relations->ends(), after.relations->ends()))
      return;
    if (before) changes.gone.push_back(id);
    if (!after) return;
    changes.fresh.push_back(id);
    std::ranges::copy(after.relations->ends(), std::back_inserter(changes.fresh_ends));
  });
  sort_each_once(changes.fresh_ends);
  return links_alone;
}

bool RedundancyMonitor::changes_links_alone(const Record& before, const Record& after) const {
  if (policy_.common_km_max) return false;
  return !policy_.shared_risk_groups || (!has_risk_group(before) && !has_risk_group(after));
}

// Whether an institution or a node is another part of the question than before: one of those that
// are asked about, a target, or a node of either.
bool RedundancyMonitor::has_other_part(const Record& before, const Record& after) const {
  if (policy_.common_km_max) return true;
  for (const ElementSelection* selection : {&policy_.who, &policy_.to})
    if (detail::is_selected(before, *selection) != detail::is_selected(after, *selection))
      return true;
  if (before && after && std::ranges::equal(before.relations->owners(), after.relations->owners()))
    return false;
  return is_owned_by_any(before) || is_owned_by_any(after);
}

bool RedundancyMonitor::is_owned_by_any(const Record& record) const {
  return record && record.kind() == Kind::node &&
         have_common(institutions_, record.relations->owners());
}

bool RedundancyMonitor::may_be_another(std::size_t place, const LinkChanges& changes) const {
  const Grounds& grounds = grounds_[place];
  if (grounds.by_any_change) return true;
  if (!changes.gone.empty() && have_common(changes.gone, grounds.links)) return true;
  return !changes.fresh.empty() &&
         (grounds.by_any_link || have_common(changes.fresh_ends, grounds.nodes));
}

// ---- checks ----

void RedundancyMonitor::check_all(const Graph& next) {
  std::vector<std::string> not_found;
  const std::vector<RecordId> who = detail::selected(next, policy_.who, not_found);
  const std::vector<RecordId> to = detail::selected(next, policy_.to, not_found);
  checker_.reset();  // before there is another one
  checked_ = next;
  checker_ = std::make_unique<detail::RedundancyChecker>(checked_, policy_, to);
  institutions_.clear();
  if (policy_.who.kind == Kind::institution) institutions_ = who;
  if (policy_.to.kind == Kind::institution)
    institutions_.insert(institutions_.end(), to.begin(), to.end());
  sort_each_once(institutions_);
  standings_.clear();
  for (const RecordId element : who) standings_.push_back({.element = element});
  grounds_.assign(who.size(), {});
  noted_ = 0;
  for (std::size_t place = 0; place < who.size(); ++place) check(place);
}

void RedundancyMonitor::check(std::size_t place) {
  RouteStanding& standing = standings_[place];
  const ElementRoutes found = checker_->check(standing.element);
  standing.at_least = found.at_least;
  standing.at_most = found.at_most;
  standing.state = state_of(found, policy_.routes);
  noted_ -= grounds_[place].size();
  grounds_[place] = grounds_of(found);
  if (noted_ + grounds_[place].size() > kNotedForEachRecord * checked_.size())
    grounds_[place] = {.by_any_change = true};
  noted_ += grounds_[place].size();
}

RedundancyMonitor::Grounds RedundancyMonitor::grounds_of(const ElementRoutes& found) const {
  switch (found.basis) {
    case RouteBasis::at_target:
    case RouteBasis::no_nodes:
      return {};
    case RouteBasis::flow:
      break;
    default:
      return {.by_any_change = true};
  }
  Grounds grounds;
  for (const Route& route : found.routes)
    grounds.links.insert(grounds.links.end(), route.links.begin(), route.links.end());
  if (found.at_least == policy_.routes) return grounds;
  auto nodes = checker_->searched_in_vain(kGroundNodesMax);
  grounds.by_any_link = !nodes.has_value();
  if (nodes) grounds.nodes = *std::move(nodes);
  return grounds;
}

}  // namespace netml::engine
