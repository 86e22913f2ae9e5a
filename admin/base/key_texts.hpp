// What commands say of damaged files of keys (admin/node/key_file.hpp).
//
// Thread: any (pure functions).
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace netml::admin::cli {

// Stands behind the name of the file, and before what is to be done about it.
inline constexpr std::string_view kDamagedKeyText =
    " is damaged, so it is neither used nor replaced: ";

inline bool speaks_of_damaged_key(std::string_view text) {
  return text.find(kDamagedKeyText) != text.npos;
}

// A line of advice, without its end. What helps where other files are damaged does not help a key.
inline std::string damaged_key_advice(std::string_view data_directory) {
  return fmt::format(
      "  put back a copy of the key, which is in no backup; until then the node starts only for "
      "reading: netml serve --read-only --data {}",
      data_directory);
}

}  // namespace netml::admin::cli
