// What a delta says of the file that it leads to, for an import that knows the file before it.
//
// Thread: any (pure).
#pragma once

#include <optional>

#include "codecs/document/read_limits.hpp"
#include "codecs/netml/delta/read_delta.hpp"
#include "codecs/netml/delta/taken_export.hpp"
#include "engine/import/changed_file.hpp"

namespace netml::codecs {

// What the delta says, as a file that has nothing else. Nothing where topologies come or go, or
// where there is more to say of it than what it gives: the whole file must be read.
std::optional<engine::Document> document_of(const Delta& delta, const ReadLimits& limits = {});

// `document`: of the delta. `after`: what it leads to, with the counts of TakenExport::after.
// Nothing as above.
std::optional<engine::FileChanges> changes_of(const Delta& delta, engine::Document document,
                                              const TakenExport& after,
                                              const TopologyHasher::Counts& counts);

}  // namespace netml::codecs
