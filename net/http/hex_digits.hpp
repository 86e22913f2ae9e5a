// The digits of percent escapes and chunk sizes.
#pragma once

namespace netml::net {

// -1 when it is none.
inline int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace netml::net
