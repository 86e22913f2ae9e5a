// Reads networks of GNPy as JSON (docs/formats/gnpy.md): a fibre is a link, all other elements are
// nodes.
//
// Memory: the file, its values as a JsonTree and the draft. Thread: any.
// Errors: as a value; JSON that is none with line and column, all else with a JSON pointer.
#pragma once

#include "codecs/document/random_access.hpp"
#include "codecs/document/read_limits.hpp"
#include "codecs/formats/draft/map_draft.hpp"

namespace netml::codecs {

ReadResult read_gnpy(RandomAccessFile& file, const DraftOptions& options, const ReadLimits& limits);

}  // namespace netml::codecs
