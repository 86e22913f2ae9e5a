// What the map tells about single records: the content of its drawers, and features for other
// programs.
//
// Thread: any (pure functions).
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <memory>
#include <span>
#include <vector>

#include "engine/transaction/state.hpp"
#include "net/http/http.hpp"

namespace netml::admin::web {

boost::json::object drawer_json(const engine::Graph& graph, RecordId id);

// {"number", "id", "name"}
boost::json::object reference_json(const engine::Graph& graph, RecordId id);
boost::json::array references_json(const engine::Graph& graph, std::span<const RecordId> ids);

// The record of that kind and number. Errc::not_found
Result<RecordId> record_of(const engine::Graph& graph, Kind kind, std::uint64_t number);

// The distinct owners of all nodes at either end of the node's links, its own included, ascending;
// none for a node without links.
std::vector<RecordId> connected_owners(const engine::Graph& graph, RecordId node);

// A GeoJSON FeatureCollection (RFC 7946) of all records of the kind, or of those that belong to the
// topology, made piece by piece. What has no place is left out.
std::unique_ptr<net::BodySource> geojson_stream(engine::StatePtr state, Kind kind,
                                                RecordId topology);

}  // namespace netml::admin::web
