// How a source delivers, as text of JSON (docs/api.md, section "Quality": `delivery` of a source).
//
// Thread: any (pure functions).
#pragma once

#include <string>

#include "engine/quality/deliveries.hpp"

namespace netml::admin::web {

std::string delivery_text(const engine::Deliveries& deliveries);
// What its findings take of the source's score.
double lost_by_delivery(const engine::Deliveries& deliveries);

}  // namespace netml::admin::web
