// Letters of ASCII, for names and words that programs gave.
#pragma once

#include <string>
#include <string_view>

namespace netml::codecs {

// Other characters stay as they are.
inline std::string lower_ascii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

}  // namespace netml::codecs
