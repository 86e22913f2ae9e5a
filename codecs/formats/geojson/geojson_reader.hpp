// Reads GeoJSON (RFC 7946; docs/formats/geojson.md): points are nodes, lines between them links.
//
// All of the file is held in memory, as a JsonTree. Errors are collected, each with a JSON pointer,
// or line and column where the text is no JSON. Failure: as a value, InputErrors. Thread: any; a
// file belongs to one call at a time.
#pragma once

#include "codecs/document/random_access.hpp"
#include "codecs/document/read_limits.hpp"
#include "codecs/formats/draft/map_draft.hpp"

namespace netml::codecs {

ReadResult read_geojson(RandomAccessFile& file, const DraftOptions& options,
                        const ReadLimits& limits);

}  // namespace netml::codecs
