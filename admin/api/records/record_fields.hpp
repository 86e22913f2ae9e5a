// A record as a client writes it: the fields of a request, read and checked
// (docs/requirements/http-api.md, section 12).
#pragma once

#include <boost/json/object.hpp>

#include "admin/api/records/field_values.hpp"
#include "engine/edit/plan_records.hpp"
#include "engine/graph/graph.hpp"

namespace netml::admin::functional {

// Of a whole record a name is needed, and a missing list is empty. Errc::invalid_input with a
// message that begins with the field's name.
Result<engine::RecordEdit> read_record_fields(const boost::json::object& fields, Kind kind,
                                              Completeness completeness,
                                              const engine::Graph& graph);

// {"name", "value"}, or the same as a text: JSON, or as Python writes a dictionary.
Result<engine::TextProperty> read_property(const boost::json::value& value);

}  // namespace netml::admin::functional
