// Reads maps of ESnet's panel for Grafana (docs/formats/esnet.md): `nodes` and `edges` in the older
// and the newer form, or a dashboard that holds such maps as texts, each of which becomes a
// topology below that of the dashboard.
//
// Memory: the file, the trees of its values, and the draft. Thread: any.
// Errors: as values, with line and column where it is no JSON, else with a JSON pointer. One into a
// map that is a text has a "#" between the pointer to the text and the one in it.
#pragma once

#include "codecs/document/random_access.hpp"
#include "codecs/document/read_limits.hpp"
#include "codecs/formats/draft/map_draft.hpp"

namespace netml::codecs {

ReadResult read_esnet(RandomAccessFile& file, const DraftOptions& options,
                      const ReadLimits& limits);

}  // namespace netml::codecs
