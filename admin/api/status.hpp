// What the node tells about itself (`netml status`, docs/api.md).
// Thread: any.
#pragma once

#include <boost/json/object.hpp>

namespace netml::admin {

class Node;
struct Services;

// `state`, `bytes_checked` and `bytes`.
boost::json::object start_proof_json(const Node& node);

// How the machine holds what it has to: `last_checkpoint`, `journal_bytes`, `disk` and
// `certificates_expire` of the status.
boost::json::object upkeep_json(const Services& services);

boost::json::object status_json(const Services& services);

}  // namespace netml::admin
