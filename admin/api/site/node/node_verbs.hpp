// What is asked on the machine alone: /api/v1/node/ (docs/api.md, section "On the machine"), which
// only the control socket and commands in their own process have. Each source adds its routes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "admin/api/site/calls/calls.hpp"

namespace netml::admin::web {

inline constexpr Access kNodeVerb{.needs = Needs::admin};

// A parameter of the query; an empty one was given, too.
inline std::optional<std::string> given(const Call& call, std::string_view name) {
  return net::query_parameter(call.request.query, name);
}

// A number with '#' before it, or an identifier. Errc::not_found.
Result<RecordId> topology_argument(const engine::Graph& graph, std::string_view text);

void add_export(Routes& routes);       // for the site, too, with the formats and what they lose
void add_node_data(Routes& routes);    // init, import
void add_node_export(Routes& routes);  // the same export
void add_node_places(Routes& routes);  // places for nodes without one
void add_node_audit(Routes& routes);   // streams of the past, and of plans
void add_node_upkeep(Routes& routes);  // state, checkpoints, backups, archives

}  // namespace netml::admin::web
