// Takes a delta apart (delta_text.hpp), without asking whether it fits anything.
//
// Failure: Errc::invalid_input for what is no delta. Thread: any (pure).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/netml/delta/delta_text.hpp"
#include "codecs/netml/delta/exported_text.hpp"

namespace netml::codecs {

// Of a topology that is new, changed or has moved.
struct TopologyDelta {
  std::string id;
  std::optional<std::string> parent;  // by identifier; none: the root
  std::string_view head;
  std::vector<ElementText> elements;  // new or written differently, in their order
  std::vector<ElementKey> deleted;    // ascending
};

// Its texts are parts of the text that was read.
struct Delta {
  DeltaLabel label;
  std::vector<TopologyDelta> topologies;
  std::vector<std::string> deleted;  // topologies
};
Result<Delta> read_delta(std::string_view text);

}  // namespace netml::codecs
