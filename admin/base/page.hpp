// Some items of a long list.
#pragma once

#include <cstddef>
#include <cstdint>

namespace netml::admin {

struct Page {
  std::size_t first = 0;
  std::size_t count_max = SIZE_MAX;
};

}  // namespace netml::admin
