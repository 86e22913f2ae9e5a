// What writer and reader of a checkpoint agree on: file names, and the numbers of its footer.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "engine/graph/graph.hpp"
#include "engine/transaction/catalog_tables.hpp"

namespace netml::wal {

inline std::string graph_file_name(Lsn lsn) {
  return fmt::format("{:020}.graph", lsn.value);
}
inline std::string catalog_file_name(Lsn lsn) {
  return fmt::format("{:020}.catalog", lsn.value);
}

inline std::vector<std::uint64_t> table_counts(const engine::Catalog& catalog) {
  std::vector<std::uint64_t> counts;
  engine::for_each_catalog_table(
      [&](const auto& table) { counts.push_back((catalog.*table.entries).count()); });
  return counts;
}
inline std::vector<std::uint64_t> table_next_numbers(const engine::Catalog& catalog) {
  std::vector<std::uint64_t> numbers;
  engine::for_each_catalog_table(
      [&](const auto& table) { numbers.push_back((catalog.*table.entries).next_number()); });
  return numbers;
}

inline std::vector<std::uint64_t> kind_counts(const engine::Graph& graph) {
  std::vector<std::uint64_t> counts;
  counts.reserve(kKinds.size());
  for (const Kind kind : kKinds) counts.push_back(graph.count(kind));
  return counts;
}

}  // namespace netml::wal
