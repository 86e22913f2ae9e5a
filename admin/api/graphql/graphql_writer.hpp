// Writes the answer to a planned query, from one version of the graph, piece by piece: what is held
// between two pieces is the way down to where the writer is, with the lists on it.
//
// Bounds: the records that are asked for, each as often as it is, and those that are looked at to
// find them. Failure: Errc::invalid_input, with the bound. Thread: one at a time.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <vector>

#include "admin/api/graphql/graphql_plan.hpp"
#include "engine/base/result.hpp"
#include "engine/graph/graph.hpp"

namespace netml::admin::web::graphql {

inline constexpr std::size_t kRecordsMax = 100'000;
// Or eight times all records, where that is more: a few lists of a large map.
inline constexpr std::size_t kLookedAtMax = 1'000'000;

class Writer {
 public:
  // Both outlive it.
  Writer(const engine::Graph& graph, const Plan& plan);

  // Appends to `out` until that holds `bytes` or the answer ends. Whether there is more.
  Result<bool> write(std::string& out, std::size_t bytes);

 private:
  // An object of the answer: a record, one of its properties, or a part of the description.
  struct Object {
    RecordId record;
    std::size_t property = 0;  // which of the record's
    const boost::json::value* description = nullptr;
  };
  // An object that was begun: which field is next, and what is below the one before.
  struct Open {
    const Place* place;
    Object object;
    std::size_t next = 0;
    std::vector<Object> below;
    std::size_t below_next = 0;
    bool in_list = false;
    std::vector<engine::Property> properties = {};  // those that are below
  };

  Status step();
  void begin(std::size_t place, Object object);
  Status write_field(Open& open, const PlannedField& field);
  Status write_roots(Open& open, const PlannedField& field);
  Status write_record(Open& open, const PlannedField& field);
  Status write_properties(Open& open);
  void write_property(std::string_view name);
  void write_scalar(const engine::Attributes& attributes, std::string_view name);
  Status write_description(Open& open, const PlannedField& field, const boost::json::value* value);
  const boost::json::value* described(const PlannedField& field);
  const boost::json::value* named_type(std::string_view name);
  const boost::json::value* member(const boost::json::value& value, std::string_view name);

  Status one(Open& open, RecordId record);
  Status list(Open& open, std::vector<Object> objects);
  Status records(Open& open, const std::vector<RecordId>& records);
  Result<std::vector<RecordId>> links_at(RecordId node, std::size_t end);
  Status look_at_links(RecordId node, bool owners);
  Status look_at(std::size_t records);
  Status count(std::size_t records);
  void append(std::string_view text) { *out_ += text; }

  const engine::Graph& graph_;
  const Plan& plan_;
  std::vector<Open> open_;
  std::string* out_ = nullptr;  // while write() runs
  std::size_t records_ = 0;
  std::size_t looked_at_ = 0;
  boost::json::value schema_;  // once it is asked for
};

}  // namespace netml::admin::web::graphql
