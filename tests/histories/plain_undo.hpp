// What docs/undo.md says of an undo, on plain maps.
#pragma once

#include "tests/histories/plain_map.hpp"

namespace netml::test {

struct PlainUndo {
  PlainMap map;            // as the undo leaves it
  bool conflicts = false;  // something could not be undone, or only by force
};

// Undoes what led from `before` to `after`, from what is there now.
PlainUndo undone(const PlainMap& now, const PlainMap& before, const PlainMap& after, bool force);

}  // namespace netml::test
