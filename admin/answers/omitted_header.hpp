// The header by which an answer names what the file in its body does not contain.
//
// Thread: any (pure functions).
#pragma once

#include <string>
#include <string_view>

#include "net/http/http.hpp"

namespace netml::admin {

inline constexpr std::string_view kOmittedHeader = "X-NetML-Omitted";
// What it was called in version 0.1. Sent beside it for one release, and read in its place.
inline constexpr std::string_view kFormerOmittedHeader = "X-NetML-Left-Out";

// `text` in words, such as "1 version; 2 lifetimes"; empty = nothing is omitted, and no header set.
inline void set_omitted(net::Headers& headers, const std::string& text) {
  if (text.empty()) return;
  headers.set(kOmittedHeader, text);
  headers.set(kFormerOmittedHeader, text);
}

// Empty when nothing is omitted.
inline std::string_view omitted(const net::Headers& headers) {
  return headers.get(headers.has(kOmittedHeader) ? kOmittedHeader : kFormerOmittedHeader);
}

}  // namespace netml::admin
