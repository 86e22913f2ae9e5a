#include "admin/imports/detail/policy_check.hpp"

#include "admin/analysis/redundancy_answer.hpp"
#include "admin/analysis/stored_policies.hpp"
#include "engine/base/guarded.hpp"

namespace netml::admin {

Result<std::optional<std::string>> check_policies(Node& node, const engine::State& state,
                                                  engine::ImportPlan& plan) {
  std::optional<std::string> reason;
  if (state.catalog.policies.count() == 0 || !may_change_routes(plan.transaction)) return reason;
  NETML_TRY(const std::vector<EnabledPolicy> policies, enabled_policies(state.catalog));
  if (policies.empty()) return reason;
  NETML_TRY(const MemoryReservation reserved,
            node.memory().reserve(MemoryUse::imports,
                                  web::kHistoryMemoryOfRecord *
                                      (state.graph.size() + plan.transaction.records.size())));
  return guarded([&]() -> Result<std::optional<std::string>> {
    NETML_TRY(const engine::State after, engine::apply(state, plan.transaction, state.lsn.next()));
    for (const PolicyDecline& decline : find_declines(state.graph, after.graph, policies)) {
      const std::string text = text_of(decline);
      plan.log.warning(decline.kind, text);
      if (decline.on_import != engine::PolicyAction::hold) continue;
      reason = reason ? *reason + "; " + text : "it would leave " + text;
    }
    return reason;
  });
}

}  // namespace netml::admin
