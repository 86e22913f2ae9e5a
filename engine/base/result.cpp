#include "engine/base/result.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace netml {

const char* error_text(int error) {
  const char* text = ::strerrordesc_np(error);
  return text != nullptr ? text : "Unknown error";
}

void assertion_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "netml: assertion failed: %s (%s:%d)\n", condition, file, line);
  std::abort();
}

}  // namespace netml
