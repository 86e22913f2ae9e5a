// Reads a dump of a NetBox, as `manage.py dumpdata` writes it: a list of records
// {"model": "dcim.site", "pk": 1, "fields": {...}} (docs/formats/netbox.md).
//
// Only what the mapping names becomes part of the map; all else is listed as lost, by its path and
// never by its value. Errors have a JSON pointer. Failure: as a value, InputErrors. Thread: any; a
// file belongs to one call at a time.
#pragma once

#include "codecs/document/random_access.hpp"
#include "codecs/document/read_limits.hpp"
#include "codecs/formats/draft/map_draft.hpp"
#include "codecs/formats/netbox/netbox_mapping.hpp"

namespace netml::codecs {

ReadResult read_netbox(RandomAccessFile& file, const DraftOptions& options,
                       const netbox::Mapping& mapping, const ReadLimits& limits);

}  // namespace netml::codecs
