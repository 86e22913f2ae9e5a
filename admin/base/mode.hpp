#pragma once

#include <cstdint>

namespace netml::admin {

// What the node was started for; the defaults of some settings differ.
enum class Mode : std::uint8_t { production, test };

}  // namespace netml::admin
