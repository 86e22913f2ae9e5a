#include "engine/analysis/redundancy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "engine/analysis/detail/element_selection.hpp"
#include "engine/analysis/detail/redundancy_checker.hpp"

namespace netml::engine {

namespace {

std::optional<Error> problem_of(const ElementSelection& selection, std::string_view field) {
  const auto wrong = [&](std::string_view member, std::string message) {
    return Error{Errc::invalid_input, std::move(message), fmt::format("{}.{}", field, member)};
  };
  if (selection.kind != Kind::institution && selection.kind != Kind::node)
    return wrong("kind", "must be \"institution\" or \"node\"");
  if (selection.ids.size() > kPolicyIdsMax)
    return wrong("ids", fmt::format("at most {}", kPolicyIdsMax));
  return std::nullopt;
}

}  // namespace

std::optional<Error> problem_of(const RedundancyPolicy& policy) {
  if (auto problem = problem_of(policy.who, "who")) return problem;
  if (auto problem = problem_of(policy.to, "to")) return problem;
  if (!policy.to.names_something())
    return Error{Errc::invalid_input, "needs a tag, a property or ids: routes to all are no demand",
                 "to"};
  if (policy.routes < 1 || policy.routes > kRoutesMax)
    return Error{Errc::invalid_input, fmt::format("must be a number from 1 to {}", kRoutesMax),
                 "routes"};
  const double kilometres = policy.common_km_max.value_or(0);
  if (!(kilometres >= 0 && kilometres <= kCommonKilometresMax))
    return Error{Errc::invalid_input,
                 fmt::format("must be a number from 0 to {}", kCommonKilometresMax),
                 "common_km_max"};
  return std::nullopt;
}

RedundancyState state_of(const ElementRoutes& found, std::size_t wanted) {
  if (found.at_least >= wanted) return RedundancyState::met;
  return found.at_most < wanted ? RedundancyState::below : RedundancyState::undecided;
}

RedundancySummary check_redundancy(const Graph& graph, const RedundancyPolicy& policy,
                                   const std::function<void(const ElementRoutes&)>& take) {
  RedundancySummary summary;
  const std::vector<RecordId> who = detail::selected(graph, policy.who, summary.not_found);
  const std::vector<RecordId> to = detail::selected(graph, policy.to, summary.not_found);
  const auto checker = std::make_unique<detail::RedundancyChecker>(graph, policy, to);  // large
  summary.targets = checker->targets();
  for (const RecordId element : who) {
    const ElementRoutes found = checker->check(element);
    ++summary.checked;
    switch (state_of(found, policy.routes)) {
      case RedundancyState::met:
        ++summary.met;
        break;
      case RedundancyState::below:
        ++summary.below;
        break;
      case RedundancyState::undecided:
        ++summary.undecided;
        break;
    }
    take(found);
  }
  return summary;
}

bool may_change_routes(const Record& before, const Record& after) {
  const Record& either = before ? before : after;
  if (!either || either.kind() == Kind::topology) return false;
  if (!before || !after) return true;
  const Attributes& old = *before.attributes;
  const Attributes& now = *after.attributes;
  return old.id() != now.id() || old.coordinates() != now.coordinates() ||
         old.properties() != now.properties() ||
         !std::ranges::equal(before.relations->owners(), after.relations->owners()) ||
         !std::ranges::equal(before.relations->ends(), after.relations->ends());
}

}  // namespace netml::engine
