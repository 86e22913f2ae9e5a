// How much memory a transaction takes that is made, or read, to be looked at: of a plan, of a
// preview, to be undone. The version that it leads to shares all else with the one before.
//
// Thread: any.
#pragma once

#include <cstdint>

#include "admin/base/memory_budget.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::admin {

// For each record that it changes, with what is made of that: a plan from it, a page of a list.
inline constexpr std::uint64_t kMemoryOfEffect = 1 << 10;

// Makes `memory`, which may be of nothing yet, suffice. Errc::unavailable.
inline Status reserve_effects(MemoryBudget& budget, MemoryReservation& memory,
                              std::uint64_t records) {
  if (memory.bytes() == 0) memory = budget.account(MemoryUse::answers, 0);
  return budget.grow(memory, kMemoryOfEffect * records);
}
inline Status reserve_effects(MemoryBudget& budget, MemoryReservation& memory,
                              const engine::Transaction& transaction) {
  return reserve_effects(budget, memory, transaction.records.size());
}
inline Status reserve_effects(MemoryBudget& budget, MemoryReservation& memory,
                              const engine::ChangeCounts& counts) {
  return reserve_effects(budget, memory, counts.created + counts.updated + counts.deleted);
}

}  // namespace netml::admin
