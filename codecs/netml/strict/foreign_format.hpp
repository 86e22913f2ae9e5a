// What a file is that is not what its name says: by its first bytes, for messages.
// Thread: any.
#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace netml::codecs {

inline constexpr std::size_t kSignatureBytes = 4;

// "a zip archive; ...", from the first kSignatureBytes of the file; empty when it is nothing known.
inline std::string_view foreign_format(std::string_view start) {
  using namespace std::string_view_literals;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kSignatures{{
      {"PK\3\4"sv, "a zip archive; if it is a spreadsheet, give it a name that ends in .xlsx"sv},
      {"\x1f\x8b"sv, "compressed by gzip; expand it first"sv},
      {"\x28\xb5\x2f\xfd"sv, "compressed by zstd; expand it first"sv},
      {"\xd0\xcf\x11\xe0"sv,
       "an Office file of the old kind or encrypted; save it as .xlsx without "
       "a password"sv},
      {"%PDF"sv, "a PDF document"sv},
  }};
  for (const auto& [signature, name] : kSignatures)
    if (start.starts_with(signature)) return name;
  return {};
}

}  // namespace netml::codecs
