// Collation rules drawn by rapidcheck over the stock of random_file().
#pragma once

#include <string>

#include "engine/catalog/rules.hpp"

namespace netml::test {

// All expect to run inside a rapidcheck property.

// An identifier of an institution (0), a node (1) or a link (2).
std::string random_id(int kind);
// The records of one kind that one visit of a topology gave have no order of their own. So what
// depends on the order in which records are taken, merging and chains of actions, is drawn for the
// records of one identifier, which different visits gave.
engine::Rule random_rule(const std::string& name);

}  // namespace netml::test
