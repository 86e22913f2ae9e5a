#include "admin/analysis/stored_policies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "codecs/formats/redundancy_json.hpp"
#include "engine/analysis/redundancy_monitor.hpp"
#include "engine/base/wording.hpp"

namespace netml::admin {

using engine::Graph;
using engine::RedundancyPolicy;
using engine::RedundancyState;

namespace {

// Ascending.
std::vector<RecordId> below(const engine::RedundancyMonitor& monitor) {
  std::vector<RecordId> found;
  for (const engine::RouteStanding& standing : monitor.standings())
    if (standing.state == RedundancyState::below) found.push_back(standing.element);
  return found;
}

std::string name_and_id(const engine::Attributes& attributes) {
  if (attributes.name().empty()) return std::string(attributes.id());
  return fmt::format("{} ({})", attributes.name(), attributes.id());
}

}  // namespace

Result<RedundancyPolicy> read_stored(const engine::StoredPolicy& stored) {
  auto policy = codecs::read_redundancy_policy(stored.policy);
  if (!policy)
    return fail(Errc::conflict,
                fmt::format("the redundancy policy \"{}\" cannot be read by this version: {}",
                            stored.name, policy.error().text()));
  policy->name = stored.name;
  return policy;
}

Result<std::vector<EnabledPolicy>> enabled_policies(const engine::Catalog& catalog) {
  std::vector<EnabledPolicy> enabled;
  Status status;
  catalog.policies.for_each([&](std::uint64_t number, const engine::StoredPolicy& stored) {
    if (!stored.enabled || !status) return;
    auto policy = read_stored(stored);
    if (policy)
      enabled.push_back({number, stored.on_import, *std::move(policy)});
    else
      status = tl::make_unexpected(std::move(policy).error());
  });
  NETML_TRY_VOID(status);
  return enabled;
}

std::vector<PolicyDecline> find_declines(const Graph& before, const Graph& after,
                                         std::span<const EnabledPolicy> policies) {
  std::vector<PolicyDecline> declines;
  for (const auto& [number, on_import, policy] : policies) {
    engine::RedundancyMonitor monitor(policy);
    monitor.take(before);
    const std::size_t elements = monitor.standings().size();
    const std::vector<RecordId> old = below(monitor);
    monitor.take(after);
    const std::vector<RecordId> now = below(monitor);
    std::vector<RecordId> fresh;
    std::ranges::set_difference(now, old, std::back_inserter(fresh));
    // What is gone is not below; but a policy about nothing is met by nobody.
    const bool is_about_nothing = elements > 0 && monitor.standings().empty();
    if (fresh.empty() && !is_about_nothing) continue;
    PolicyDecline& decline = declines.emplace_back(
        PolicyDecline{policy.name, on_import, policy.who.kind, old.size(), now.size(), {}});
    fresh.resize(std::min(fresh.size(), kDeclinedNamed));
    for (const RecordId id : fresh) decline.first.push_back(name_and_id(after.attributes(id)));
  }
  return declines;
}

std::string text_of(const PolicyDecline& decline) {
  if (decline.first.empty())
    return fmt::format("nothing that the redundancy policy \"{}\" is about", decline.policy);
  const char* const kind = decline.kind == Kind::institution ? "institution" : "node";
  return fmt::format("below the redundancy policy \"{}\" {} {}, {} before; first of all {}",
                     decline.policy, decline.below_after == 1 ? "is" : "are",
                     counted(decline.below_after, kind), decline.below_before,
                     fmt::join(decline.first, ", "));
}

bool may_change_routes(const engine::Transaction& transaction) {
  return std::ranges::any_of(transaction.records, [](const engine::RecordChange& change) {
    return engine::may_change_routes(change.before, change.after);
  });
}

}  // namespace netml::admin
