// Comparing texts by their first bytes, without a look at where they are.
#pragma once

#include <boost/endian/conversion.hpp>
#include <cstdint>
#include <string_view>

namespace netml {

// As a number; of two texts that of the lower one comes first, texts of the same one may differ.
inline std::uint64_t beginning_of(std::string_view text) {
  std::uint64_t bytes = 0;
  text.copy(reinterpret_cast<char*>(&bytes), sizeof bytes);
  return boost::endian::big_to_native(bytes);
}

}  // namespace netml
