// One edit of one record by an administrator: what it is for the node, and for the plain map.
#pragma once

#include "tests/histories/dice.hpp"
#include "tests/histories/history_node.hpp"

namespace netml::test {

struct DrawnEdit {
  const char* kind = "change";
  std::string reported;  // for people
  HistoryNode::PlanEdit plan;
  // Before rules; nothing when the edit must be refused.
  std::optional<PlainMap> after;
};

// Nothing where there is nothing to edit. `next` is the key that a new element gets.
std::optional<DrawnEdit> draw_edit(Dice& dice, const PlainMap& map, int step, Key& next);

}  // namespace netml::test
