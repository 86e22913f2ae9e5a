// What a reader of files is given and gives back, whatever the format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tl/expected.hpp>

#include "engine/graph/document.hpp"

namespace netml::codecs {

// What a file may demand at most (docs/requirements/durability-and-security.md, section 3).
// Exceeding one of them ends the reading with the code given.
struct ReadLimits {
  std::uint32_t depth = 1'000;          // levels of elements; "too-deep"
  std::uint64_t elements = 50'000'000;  // all others: "too-large"
  std::uint32_t attributes = 256;       // of one element
  std::size_t name_bytes = 1 << 10;     // name of an element or attribute
  std::size_t text_bytes = 1 << 20;     // value of an attribute, text of an element
  std::size_t markup_bytes = 4 << 20;   // one tag or comment, as it stands in the file
  std::size_t record_bytes = 2 << 20;   // all kept texts of one topology or element
  std::size_t errors = 1'000;           // kept; the others are counted (decision 25)
};

using ReadResult = tl::expected<engine::Document, engine::InputErrors>;

}  // namespace netml::codecs
