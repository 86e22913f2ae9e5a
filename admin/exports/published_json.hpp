// JSON shapes of what is published (docs/api.md).
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>

#include "engine/catalog/catalog.hpp"

namespace netml::admin {

const char* published_status_name(engine::PublishedStatus status);
boost::json::object published_item_json(std::uint64_t number, const engine::PublishedItem& item,
                                        bool latest);

}  // namespace netml::admin
