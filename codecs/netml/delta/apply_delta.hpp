// Makes of an exported file and a delta the file that would be exported now, equal to the byte.
//
// Failure: Errc::invalid_input for what is no delta or no export, Errc::conflict where it leads
// from or to something else, and nothing was given to `take` then. Thread: any.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "codecs/netml/delta/read_delta.hpp"
#include "codecs/netml/delta/taken_export.hpp"

namespace netml::codecs {

// One in the place of several, each of which leads on from where the one before leads to. The
// texts are theirs. Errc::conflict where they do not, or one deletes a topology.
Result<Delta> combined(std::span<const Delta> deltas);

// `from`: the head that `document` is of. What is known of the new file.
Result<TakenExport> apply_delta(std::string_view document, const Delta& delta,
                                std::string_view from,
                                const std::function<Status(std::string_view)>& take);

}  // namespace netml::codecs
