// Changes of single entries of the catalog, in the shape a transaction carries them; the type of
// the entry says which table it is.
//
// Thread: any (pure functions).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "engine/base/result.hpp"
#include "engine/transaction/catalog_tables.hpp"
#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::engine {

// ---- as a part of a transaction that is planned on `state` ----

// An entry that is not there yet is created under that number.
template <class T>
void put_entry(Transaction& transaction, const State& state, std::uint64_t number, T entry) {
  (transaction.*table_of<T>().changes)
      .push_back({number, (state.catalog.*table_of<T>().entries).find(number),
                  std::make_shared<const T>(std::move(entry))});
}
// Under the next number of the table: at most one in a transaction.
template <class T>
void add_entry(Transaction& transaction, const State& state, T entry) {
  put_entry(transaction, state, (state.catalog.*table_of<T>().entries).next_number(),
            std::move(entry));
}
template <class T>
void remove_entry(Transaction& transaction, const State& state, std::uint64_t number) {
  (transaction.*table_of<T>().changes)
      .push_back({number, (state.catalog.*table_of<T>().entries).find(number), nullptr});
}

// ---- as all of a transaction ----

template <class T>
Transaction entry_added(const State& state, T entry) {
  Transaction transaction = empty_transaction(state);
  add_entry(transaction, state, std::move(entry));
  return transaction;
}
// The entry must be there. Nothing changes when it is so already.
template <class T>
Transaction entry_replaced(const State& state, std::uint64_t number, T entry) {
  Transaction transaction = empty_transaction(state);
  if (entry != *(state.catalog.*table_of<T>().entries).find(number))
    put_entry(transaction, state, number, std::move(entry));
  return transaction;
}
template <class T>
Transaction entry_removed(const State& state, std::uint64_t number) {
  Transaction transaction = empty_transaction(state);
  remove_entry<T>(transaction, state, number);
  return transaction;
}

// ---- several, each planned on what those before leave ----

// `plan` changes entries only, no records. The first error is the answer.
using PlanEntry = std::function<Result<Transaction>(const State& state, std::uint64_t number)>;
Result<Transaction> plan_in_turn(const State& state, std::span<const std::uint64_t> numbers,
                                 const PlanEntry& plan);

}  // namespace netml::engine
