#include "admin/analysis/detail/map_tables.hpp"
#include "admin/analysis/map_answers.hpp"

namespace netml::admin::web {

std::string map_columns(const engine::State& state) {
  std::string out = "{";
  detail::MapTables tables(state, out);
  tables.write_version();
  tables.write_nodes_and_links();
  tables.write_small_tables();
  out += '}';
  return out;
}

}  // namespace netml::admin::web
