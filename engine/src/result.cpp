#include "engine/result.hpp"

#include <cstdio>
#include <cstdlib>

#include "engine/ids.hpp"

namespace netml {

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
