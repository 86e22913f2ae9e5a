// What the node tells about itself (`netml status`, docs/api.md).
// Thread: any.
#pragma once

#include <boost/json/object.hpp>

namespace netml::admin {

class Node;
struct Services;

// `state`, `bytes_checked` and `bytes`.
boost::json::object start_proof_json(const Node& node);

boost::json::object status_json(const Services& services);

}  // namespace netml::admin
