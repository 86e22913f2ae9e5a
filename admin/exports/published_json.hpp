// JSON shapes of what is published (docs/api.md).
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>

#include "engine/catalog/catalog.hpp"

namespace netml::admin {

boost::json::object published_item_json(std::uint64_t number, const engine::PublishedItem& item,
                                        bool latest);

}  // namespace netml::admin
