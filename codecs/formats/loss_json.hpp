// A loss list for programs (docs/formats/README.md, "The loss list").
//
// Thread: any (a pure function).
#pragma once

#include <string>

#include "engine/graph/loss_list.hpp"

namespace netml::codecs {

// {"present", "carried", "lost", "counts": [{"field", "reason", "count"}],
//  "losses": [{"field", "reason", "line", "column", "sheet" or "pointer"}], "omitted"}
std::string loss_json(const engine::LossList& losses);

}  // namespace netml::codecs
