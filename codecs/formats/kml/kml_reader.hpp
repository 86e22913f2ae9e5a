// Reads KML 2.2 and KMZ (docs/formats/kml.md): placemarks with a point are nodes, those with a line
// are links between the nodes at its ends.
//
// The file is read as a stream; what it says is kept until its end, since a line may come before
// the placemarks that it joins. A KMZ is an archive whose first .kml is the map; nothing else of it
// is expanded. Errors are collected, each with line and column. Failure: as a value, InputErrors.
// Thread: any; a file belongs to one call at a time.
#pragma once

#include "codecs/document/random_access.hpp"
#include "codecs/document/read_limits.hpp"
#include "codecs/document/zip_archive.hpp"
#include "codecs/formats/draft/map_draft.hpp"

namespace netml::codecs {

ReadResult read_kml(RandomAccessFile& file, const DraftOptions& options, const ReadLimits& limits);
ReadResult read_kmz(RandomAccessFile& file, const DraftOptions& options, const ReadLimits& limits,
                    const ZipLimits& archive_limits);

}  // namespace netml::codecs
