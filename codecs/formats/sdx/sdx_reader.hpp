// Reads topologies of AtlanticWave-SDX, models 1 and 2.0.0 (docs/formats/sdx.md). Links join ports
// of nodes; one that leads to a port of another network becomes a half link of its node. What a
// list `private` names is not read.
//
// Errors are at JSON pointers. Failure: as a value, InputErrors. Thread: any; a file belongs to one
// call at a time.
#pragma once

#include "codecs/document/random_access.hpp"
#include "codecs/document/read_limits.hpp"
#include "codecs/formats/draft/map_draft.hpp"

namespace netml::codecs {

ReadResult read_sdx(RandomAccessFile& file, const DraftOptions& options, const ReadLimits& limits);

}  // namespace netml::codecs
