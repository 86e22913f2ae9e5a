// Graphs of checkpoints that are used where they lie, with any bytes there. Checksums fit, as those
// of somebody who means it would: otherwise nothing of a changed piece is shown.
#pragma once

#include <vector>

#include "tests/fuzz/fuzz.hpp"

namespace netml::wal::test {

// `mapped_body` changes the sections, `mapped_footer` what says where they are.
std::vector<fuzz::Target> mapped_graph_targets();

}  // namespace netml::wal::test
