// Which format a file has, by its name: all that is known of it before it is read (decision 39).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace netml::codecs {

enum class FileFormat : std::uint8_t { netml, xlsx };

inline constexpr std::string_view kAcceptedNames = ".xml, .netml, .grenml or .xlsx";

// By the end of the name, whose case does not count. Nothing when it is none of the accepted ones.
inline std::optional<FileFormat> format_of(std::string_view file_name) {
  constexpr std::array<std::pair<std::string_view, FileFormat>, 4> kEndings{{
      {".xml", FileFormat::netml},
      {".netml", FileFormat::netml},
      {".grenml", FileFormat::netml},
      {".xlsx", FileFormat::xlsx},
  }};
  const auto same_letter = [](char a, char lower) {
    return a == lower || (a >= 'A' && a <= 'Z' && a - 'A' + 'a' == lower);
  };
  for (const auto& [ending, format] : kEndings) {
    if (file_name.size() <= ending.size()) continue;
    if (std::ranges::equal(file_name.substr(file_name.size() - ending.size()), ending, same_letter))
      return format;
  }
  return std::nullopt;
}

}  // namespace netml::codecs
