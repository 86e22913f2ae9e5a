// Holds a network of an Open Fibre Data Standard package against the types of its schema
// (version 0.3): texts, numbers, dates, lists, identifiers that are there once.
//
// Thread: any (a pure function).
#pragma once

#include "codecs/document/error_list.hpp"
#include "codecs/document/json_tree.hpp"

namespace netml::codecs {

// Reports all that is wrong, each at its value. Members that the schema does not know, and null,
// are never wrong.
void check_ofds_network(JsonValue network, ErrorList& errors);

}  // namespace netml::codecs
