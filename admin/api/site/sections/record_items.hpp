// Records as the site shows and takes them (docs/api.md, section "Network records").
//
// Thread: any (pure functions).
#pragma once

#include <boost/json/object.hpp>
#include <string>

#include "engine/edit/plan_records.hpp"
#include "engine/graph/graph.hpp"
#include "engine/transaction/state.hpp"

namespace netml::admin::web {

// Differs whenever the record does.
std::string record_etag(const engine::Graph& graph, RecordId id);

// What a list shows; what a form shows.
boost::json::object list_item(const engine::Graph& graph, RecordId id);
boost::json::object whole_item(const engine::Graph& graph, RecordId id);

// "World ==> Europe ==> Coast"
std::string topology_path(const engine::Graph& graph, RecordId topology);

// A whole record as a form gives it. References are numbers, or objects with a `number`. `id` and
// `version` may be missing. Errc::invalid_input with a message that begins with the field.
Result<engine::RecordEdit> read_item(const boost::json::object& fields, Kind kind,
                                     const engine::Graph& graph);

// Some fields of records; what is not among them is not set. Values of `properties` are
// `added_properties`.
Result<engine::RecordEdit> read_some_fields(const boost::json::object& fields, Kind kind,
                                            const engine::Graph& graph);

// Messages of planning name a field as the endpoints of functional tests do.
Error as_field_of_item(Error error);

}  // namespace netml::admin::web
