// Several changes of the catalog as one transaction, each planned on what those before leave.
//
// Thread: any (a pure function).
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "engine/base/result.hpp"
#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::engine {

// `plan` changes entries only, no records. The first error is the answer.
using PlanEntry = std::function<Result<Transaction>(const State& state, std::uint64_t number)>;
Result<Transaction> plan_in_turn(const State& state, std::span<const std::uint64_t> numbers,
                                 const PlanEntry& plan);

}  // namespace netml::engine
