// What reading a file of tables as an update gives: what it sets, or all that is wrong with it.
#pragma once

#include <tl/expected.hpp>

#include "engine/edit/map_update.hpp"
#include "engine/graph/document.hpp"

namespace netml::codecs {

using UpdateResult = tl::expected<engine::MapUpdate, engine::InputErrors>;

}  // namespace netml::codecs
