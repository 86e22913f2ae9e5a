// What the node tells about itself (`netml status`, docs/api.md).
// Thread: any.
#pragma once

#include <boost/json/value.hpp>

namespace netml::admin {

struct Services;

boost::json::object status_json(const Services& services);

}  // namespace netml::admin
