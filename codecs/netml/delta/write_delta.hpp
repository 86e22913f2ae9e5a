// The difference of two exports as a text that leads from one to the other (delta_text.hpp).
//
// A function of the two: whatever graph is exported, the whole or what somebody may see of it.
// Thread: any.
#pragma once

#include <cstddef>

#include "codecs/document/text_buffer.hpp"
#include "codecs/netml/delta/delta_text.hpp"
#include "codecs/netml/delta/exported_map.hpp"
#include "engine/base/parallel.hpp"

namespace netml::codecs {

// Costs what is written differently, and where that is much, what its topologies list. The hashes
// of the label are those of the maps, whatever it holds. Errc::too_large beyond `bytes_max`, which
// bounds what two write at a time, too.
Result<TextBuffer> write_delta(const ExportedMap& from, const ExportedMap& to, DeltaLabel label,
                               std::size_t bytes_max, Parallel& parallel);

}  // namespace netml::codecs
