// Planning changes of polling sources, as engine/edit/plan_edit.hpp plans those of other entries.
//
// Thread: any (pure functions).
#pragma once

#include <string_view>

#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::engine {

// Errc::conflict when a source of that name exists.
Result<Transaction> plan_source_create(const State& state, PollingSource source);
// The source's new value takes the place of the one that is stored, and the schedule waits for it
// no more; nothing changes when they are equal. Errc::not_found when there is none; Errc::conflict
// when another one has the new name.
Result<Transaction> plan_source_update(const State& state, std::uint64_t number,
                                       PollingSource source);
// With its poll records. Errc::not_found when there is none.
Result<Transaction> plan_source_delete(const State& state, std::string_view name);

}  // namespace netml::engine
