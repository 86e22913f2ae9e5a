// What is wrong with a file, where the first such thing ends its reading.
// Thread: any (pure function).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "engine/graph/document.hpp"

namespace netml::codecs {

using FileStatus = tl::expected<void, engine::InputError>;

// `line` 0: of the file as a whole.
inline tl::unexpected<engine::InputError> file_fault(std::string_view code,
                                                     std::string_view message,
                                                     std::uint64_t line = 0) {
  engine::InputError error;
  error.code = code;
  error.message = "Error: " + std::string(message);
  error.line = line;
  return tl::unexpected(std::move(error));
}

}  // namespace netml::codecs
