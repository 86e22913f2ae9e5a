// Reads a network package of the Open Fibre Data Standard, version 0.3 (docs/formats/ofds.md).
//
// A file that breaks the schema is refused, with each problem and its JSON pointer. All of the file
// is held in memory, as a JsonTree. Failure: as a value, InputErrors. Thread: any; a file belongs
// to one call at a time.
#pragma once

#include "codecs/document/random_access.hpp"
#include "codecs/document/read_limits.hpp"
#include "codecs/formats/draft/map_draft.hpp"

namespace netml::codecs {

ReadResult read_ofds(RandomAccessFile& file, const DraftOptions& options, const ReadLimits& limits);

}  // namespace netml::codecs
