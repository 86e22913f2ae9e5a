// Reads GML (docs/formats/gml.md): the first list `graph` is a network, its nodes and edges are
// those of the map.
//
// The file is read as a stream; what it says is kept until its end, since elements without an
// identifier get one when all are known. Errors are collected, each with line and column.
// Failure: as a value, InputErrors. Thread: any; a file belongs to one call at a time.
#pragma once

#include <string_view>

#include "codecs/document/random_access.hpp"
#include "codecs/document/read_limits.hpp"
#include "codecs/formats/draft/map_draft.hpp"

namespace netml::codecs {

ReadResult read_gml(RandomAccessFile& file, const DraftOptions& options, const ReadLimits& limits);

// Whether a file that begins so is GML: a list `graph`, behind values of the file at most.
bool begins_as_gml(std::string_view first_bytes);

}  // namespace netml::codecs
