// A map as rows of five tables, for the programs that keep it in tables. An element that several
// topologies list is one row. A yardstick, no part of the product.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/graph/document.hpp"

namespace netml::bench {

struct TopologyRow {
  std::int64_t number = 0;
  std::string_view id;
  std::string_view name;
  std::optional<std::int64_t> version;
  std::optional<std::int64_t> parent;
  std::optional<std::int64_t> owner;
};

// Times are seconds since 1970, coordinates millionths.
struct ElementRow {
  std::int64_t number = 0;
  std::int64_t kind = 0;
  std::string_view id;
  std::string_view name;
  std::string_view short_name;
  std::optional<std::int64_t> version;
  std::optional<std::int64_t> start;
  std::optional<std::int64_t> end;
  std::optional<std::int64_t> latitude;
  std::optional<std::int64_t> longitude;
  std::optional<std::int64_t> altitude;
  std::string_view unlocode;
  std::string_view address;
  std::optional<std::int64_t> node_a;
  std::optional<std::int64_t> node_b;
};

class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void topology(const TopologyRow& row) = 0;
  virtual void element(const ElementRow& row) = 0;
  virtual void property(std::int64_t element, std::string_view name, std::string_view value) = 0;
  virtual void owner(std::int64_t element, std::int64_t institution) = 0;
  virtual void member(std::int64_t topology, std::int64_t element) = 0;
};

// Gives all rows of `document`; texts live as long as it does.
void give_rows(const engine::Document& document, RowSink& sink);

}  // namespace netml::bench
