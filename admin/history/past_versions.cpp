#include "admin/history/past_versions.hpp"

namespace netml::admin::web {

// Each holds the memory reserved for it, as long as anybody has it.
PastVersions::PastVersions(Node& node)
    : node_(node),
      versions_(node.memory(),
                {.values_max = 8,
                 .busy = "too many look at the past; try again later",
                 .counted = &node.metrics().cache(CacheName::past)},
                [](const engine::State&) { return 0; }) {}

Result<engine::StatePtr> PastVersions::at(Audit& audit, const std::optional<std::string>& when) {
  if (!when) return node_.version().state;
  NETML_TRY(const Lsn lsn, audit.resolve(*when));
  return versions_.get(lsn.value, [&]() -> Result<engine::StatePtr> {
    NETML_TRY(wal::PastState past, node_.state_at(lsn));
    return std::move(past.state);
  });
}

}  // namespace netml::admin::web
