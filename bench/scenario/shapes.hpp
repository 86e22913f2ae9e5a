// The shapes of maps that growth is measured on, each at any number of elements.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "bench/generator/generator.hpp"

namespace netml::bench {

struct Shape {
  std::string_view name;   // on the command line and in files
  std::string_view title;  // for readers
  // About `elements` elements, counted once for each topology that lists them.
  generator::GeneratorOptions (*options)(std::uint32_t elements);
  // What is measured is the import of this later state on the first; none: the first import.
  std::optional<generator::Revision> reimport = {};
};

std::span<const Shape> shapes();
const Shape* find_shape(std::string_view name);

}  // namespace netml::bench
