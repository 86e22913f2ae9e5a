// Data directories that earlier programs wrote: tests/golden/data. Thread: any.
#pragma once

#include <string>
#include <vector>

#include "tests/e2e/support/node.hpp"

namespace netml::e2e {

// v1 and so on, in no order.
std::vector<std::string> golden_names();

// Makes it the data directory of a node that has none yet; fails the test where that cannot be.
void unpack_golden(const std::string& name, const Node& node);

// What its map was exported as.
std::string golden_export(const std::string& name);

}  // namespace netml::e2e
