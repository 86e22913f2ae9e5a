#include "engine/base/result.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "engine/base/ids.hpp"

namespace netml {

const char* error_text(int error) {
  const char* text = ::strerrordesc_np(error);
  return text != nullptr ? text : "Unknown error";
}

void assertion_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "netml: assertion failed: %s (%s:%d)\n", condition, file, line);
  std::abort();
}

const char* kind_name(Kind kind) {
  switch (kind) {
    case Kind::topology:
      return "Topology";
    case Kind::institution:
      return "Institution";
    case Kind::node:
      return "Node";
    case Kind::link:
      return "Link";
  }
  return "?";
}

}  // namespace netml
