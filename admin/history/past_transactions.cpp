#include "admin/history/past_transactions.hpp"

#include "engine/base/guarded.hpp"

namespace netml::admin {

Status each_transaction(Node& node, const wal::PastState& from, Lsn last,
                        const std::function<void(const wal::ReplayedTransaction&)>& visit) {
  if (from.state->lsn >= last) return {};
  NETML_TRY(const wal::NextTransaction next, node.transactions_after(from));
  return guarded([&]() -> Status {
    while (true) {
      NETML_TRY(const auto step, next());
      if (!step || step->after->lsn > last) return {};
      visit(*step);
      if (step->after->lsn == last) return {};
    }
  });
}

}  // namespace netml::admin
