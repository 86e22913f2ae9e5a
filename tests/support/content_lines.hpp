// What a store holds as text, one line for each record, to compare two stores and to read the
// difference. Numbers and identities are left out: associations are named by the identifiers at
// their other end, with the topologies of that end, as several records may share an identifier.
#pragma once

#include <string>
#include <vector>

#include "engine/graph/graph.hpp"

namespace netml::test {

// By kind, identifier, and number.
std::vector<std::string> content_lines(const engine::Graph& graph);

// What only one of two lists of lines has; empty when they are equal.
std::string difference(const std::vector<std::string>& a, const std::vector<std::string>& b);

// The parts of a line, for other stores that are to be compared.
std::string attributes_text(const engine::Attributes& attributes);
std::string list_text(std::vector<std::string> entries);  // sorted, in brackets

}  // namespace netml::test
