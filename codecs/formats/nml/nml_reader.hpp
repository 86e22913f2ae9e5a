// Reads NML, alone or in a document of an NSI agent (docs/formats/nml.md). Ports that lead out of
// the document become half links of their node; a topology that has ports of its own, and no nodes
// that have them, gets a node that stands for its switching service.
//
// The document is held as a tree until the map is made. Errors are collected, each with line and
// column. Failure: as a value, InputErrors. Thread: any; a file belongs to one call at a time.
#pragma once

#include "codecs/document/random_access.hpp"
#include "codecs/document/read_limits.hpp"
#include "codecs/formats/draft/map_draft.hpp"

namespace netml::codecs {

ReadResult read_nml(RandomAccessFile& file, const DraftOptions& options, const ReadLimits& limits);

}  // namespace netml::codecs
