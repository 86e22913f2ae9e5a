// What writer and reader of a checkpoint agree on: file names, and the tables of the catalog in
// their order.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "engine/catalog.hpp"
#include "engine/graph.hpp"

namespace netml::wal {

inline std::string graph_file_name(Lsn lsn) {
  return fmt::format("{:020}.graph", lsn.value);
}
inline std::string catalog_file_name(Lsn lsn) {
  return fmt::format("{:020}.catalog", lsn.value);
}

// visit(table) for each; Catalog is const or not.
template <class Catalog, class Visit>
void for_each_table(Catalog& catalog, Visit&& visit) {
  visit(catalog.tokens);
  visit(catalog.settings);
  visit(catalog.imports);
  visit(catalog.published);
  visit(catalog.accounts);
  visit(catalog.rulesets);
  visit(catalog.rules);
}

inline std::vector<std::uint64_t> table_counts(const engine::Catalog& catalog) {
  std::vector<std::uint64_t> counts;
  for_each_table(catalog, [&](const auto& table) { counts.push_back(table.count()); });
  return counts;
}
inline std::vector<std::uint64_t> table_next_numbers(const engine::Catalog& catalog) {
  std::vector<std::uint64_t> numbers;
  for_each_table(catalog, [&](const auto& table) { numbers.push_back(table.next_number()); });
  return numbers;
}

inline std::vector<std::uint64_t> kind_counts(const engine::Graph& graph) {
  std::vector<std::uint64_t> counts;
  for (const Kind kind : kKinds) counts.push_back(graph.count(kind));
  return counts;
}

}  // namespace netml::wal
