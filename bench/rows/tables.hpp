// A sink that gives each row to the table it belongs to, column by column.
#pragma once

#include "bench/rows/rows.hpp"

namespace netml::bench {

// `Table` has a row(values...) that takes numbers, numbers that may be absent, and texts.
template <class Table>
class Tables : public RowSink {
 public:
  // `open` makes a table, given its name and how many columns it has.
  template <class Open>
  explicit Tables(Open&& open)
      : topology_(open("topology", 6)),
        element_(open("element", 15)),
        property_(open("property", 3)),
        owner_(open("owner", 2)),
        member_(open("member", 2)) {}

  void topology(const TopologyRow& row) override {
    topology_.row(row.number, row.id, row.name, row.version, row.parent, row.owner);
  }
  void element(const ElementRow& row) override {
    element_.row(row.number, row.kind, row.id, row.name, row.short_name, row.version, row.start,
                 row.end, row.latitude, row.longitude, row.altitude, row.unlocode, row.address,
                 row.node_a, row.node_b);
  }
  void property(std::int64_t element, std::string_view name, std::string_view value) override {
    property_.row(element, name, value);
  }
  void owner(std::int64_t element, std::int64_t institution) override {
    owner_.row(element, institution);
  }
  void member(std::int64_t topology, std::int64_t element) override {
    member_.row(topology, element);
  }

 private:
  Table topology_;
  Table element_;
  Table property_;
  Table owner_;
  Table member_;
};

}  // namespace netml::bench
