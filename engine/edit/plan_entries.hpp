// Adding, changing and deleting entries of a table, for entities that need nothing else to happen
// with that. What is unique is in their description.
//
// Thread: any (pure functions).
#pragma once

#include <fmt/format.h>

#include "engine/transaction/entry_changes.hpp"

namespace netml::engine {

// Errc::conflict when an entry besides `own_number` has what only one may have.
template <class T>
Status check_unique(const Table<T>& entries, const T& entry, std::uint64_t own_number) {
  Status status;
  const auto check = [&]<std::size_t kField>() {
    constexpr auto kDescribed = std::get<kField>(kFields<T>);
    if constexpr (kDescribed.traits.unique) {
      const std::uint64_t holder =
          entries.template find_with<kDescribed.member>(entry.*kDescribed.member);
      if (status && holder != 0 && holder != own_number)
        status = fail(Errc::conflict, kDescribed.name,
                      fmt::format("{} {} has this already", T::kKind.name, holder));
    }
  };
  [&]<std::size_t... kField>(std::index_sequence<kField...>) {
    (check.template operator()<kField>(), ...);
  }(std::make_index_sequence<kFieldsOf<T>>());
  return status;
}

// Errc::not_found.
template <class T>
Result<std::shared_ptr<const T>> find_entry(const Catalog& catalog, std::uint64_t number) {
  if (auto entry = (catalog.*table_of<T>().entries).find(number)) return entry;
  return fail(Errc::not_found, fmt::format("there is no {} {}", T::kKind.name, number));
}

template <class T>
Result<Transaction> plan_entry_create(const State& state, T entry) {
  NETML_TRY_VOID(check_unique(state.catalog.*table_of<T>().entries, entry, 0));
  return entry_added(state, std::move(entry));
}

template <class T>
Result<Transaction> plan_entry_update(const State& state, std::uint64_t number, T entry) {
  NETML_TRY_VOID(find_entry<T>(state.catalog, number));
  NETML_TRY_VOID(check_unique(state.catalog.*table_of<T>().entries, entry, number));
  return entry_replaced(state, number, std::move(entry));
}

template <class T>
Result<Transaction> plan_entry_delete(const State& state, std::uint64_t number) {
  NETML_TRY_VOID(find_entry<T>(state.catalog, number));
  return entry_removed<T>(state, number);
}

}  // namespace netml::engine
