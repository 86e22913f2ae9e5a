// The tables of the catalog, each with the place where a transaction keeps its changes: what all
// code walks that treats the tables alike. Made of the list in engine/catalog/catalog.hpp, in its
// order, which is that of a checkpoint's footer.
#pragma once

#include <tuple>
#include <utility>

#include "engine/base/result.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::engine {

template <class T>
struct CatalogTable {
  using Entry = T;
  static constexpr const EntryKind& kKind = T::kKind;

  Table<T> Catalog::* entries;
  EntryChanges<T> CatalogChanges::* changes;
};

template <class... T>
consteval std::tuple<CatalogTable<T>...> catalog_tables(
    const std::tuple<Table<T> Catalog::*...>& entries) {
  // A table that all() forgets does not compile.
  static_assert(
      requires { CatalogChanges{EntryChanges<T>()...}; } &&
      !requires { CatalogChanges{EntryChanges<T>()..., {}}; });
  const auto changes = CatalogChanges::all();
  return [&]<std::size_t... kTable>(std::index_sequence<kTable...>) {
    return std::tuple{CatalogTable<T>{std::get<kTable>(entries), std::get<kTable>(changes)}...};
  }(std::index_sequence_for<T...>());
}
inline constexpr auto kCatalogTables = catalog_tables(Catalog::all());

template <class T>
constexpr const CatalogTable<T>& table_of() {
  return std::get<CatalogTable<T>>(kCatalogTables);
}

// visit(table) for each.
template <class Visit>
void for_each_catalog_table(Visit&& visit) {
  std::apply([&](const auto&... table) { (visit(table), ...); }, kCatalogTables);
}

// Status visit(table) for each, up to the first that fails.
template <class Visit>
Status try_each_catalog_table(Visit&& visit) {
  Status status;
  std::apply(
      [&](const auto&... table) {
        static_cast<void>(((status = visit(table)).has_value() && ...));
      },
      kCatalogTables);
  return status;
}

}  // namespace netml::engine
