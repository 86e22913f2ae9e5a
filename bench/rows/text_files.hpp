// The rows as text that PostgreSQL's COPY takes, and others with it: a line for each row, tabs
// between the columns, \N where there is none.
#pragma once

#include <string>

#include "engine/graph/document.hpp"

namespace netml::bench {

// Writes topology.tsv, element.tsv, property.tsv, owner.tsv and member.tsv into a folder that
// exists. Ends the program when that fails.
void write_text_files(const engine::Document& document, const std::string& folder);

}  // namespace netml::bench
