#include "admin/history/past_transactions.hpp"

#include <chrono>

#include "engine/base/guarded.hpp"

namespace netml::admin {

namespace {
// It holds the memory of an answer, and a turn.
constexpr std::chrono::minutes kLongestWalk{1};
}  // namespace

Status each_transaction(Node& node, const wal::PastState& from, Lsn last,
                        const std::function<Status(const wal::ReplayedTransaction&)>& visit) {
  if (from.state->lsn >= last) return {};
  NETML_TRY(const wal::NextTransaction next, node.transactions_after(from));
  const auto begin = node.clock().steady();
  return guarded([&]() -> Status {
    while (true) {
      NETML_TRY(const auto step, next());
      if (!step || step->after->lsn > last) return {};
      NETML_TRY_VOID(visit(*step));
      if (node.clock().steady() - begin > kLongestWalk)
        return fail(Errc::too_large, "this takes too long; ask about a shorter time");
      if (step->after->lsn == last) return {};
    }
  });
}

}  // namespace netml::admin
