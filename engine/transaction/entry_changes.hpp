// Changes of one entry of a catalog table, in the shape a transaction carries them.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "engine/transaction/transaction.hpp"

namespace netml::engine {

// Under the next number of the table: at most one in a transaction.
template <class T>
EntryChange<T> added(const Table<T>& table, T entry) {
  return {table.next_number(), nullptr, std::make_shared<const T>(std::move(entry))};
}

// An entry that is not there yet is created under that number.
template <class T>
EntryChange<T> replaced(const Table<T>& table, std::uint64_t number, T entry) {
  return {number, table.find(number), std::make_shared<const T>(std::move(entry))};
}

template <class T>
EntryChange<T> removed(const Table<T>& table, std::uint64_t number) {
  return {number, table.find(number), nullptr};
}

}  // namespace netml::engine
