// Reads topologies of OSCARS (docs/formats/oscars.md): devices and adjacencies in one file, or the
// older form in three files, each of which is read by itself.
//
// Memory: the file, the tree of its values, and the draft. Thread: any.
// Errors: as values, with line and column where it is no JSON, else with a JSON pointer.
#pragma once

#include "codecs/document/random_access.hpp"
#include "codecs/document/read_limits.hpp"
#include "codecs/formats/draft/map_draft.hpp"

namespace netml::codecs {

ReadResult read_oscars(RandomAccessFile& file, const DraftOptions& options,
                       const ReadLimits& limits);

}  // namespace netml::codecs
