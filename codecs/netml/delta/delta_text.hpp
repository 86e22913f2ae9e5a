// The form of a delta (docs/following.md, "The document"): what it says of itself, then each
// topology that is new, changed or has moved, then those that are gone.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "codecs/document/text_buffer.hpp"
#include "codecs/netml/delta/exported_text.hpp"
#include "engine/base/ids.hpp"
#include "engine/base/result.hpp"

namespace netml::codecs {

inline constexpr std::string_view kDeltaType = "application/vnd.netml.delta+xml";
// The header by which a client says that it takes deltas of this version, and is offered them.
inline constexpr std::string_view kDeltaHeader = "X-NetML-Delta";
inline constexpr std::string_view kDeltaVersion = "1";

// Between which states it leads. Heads are "LSN:hash".
struct DeltaLabel {
  std::string stream;  // of the journal that the heads are of
  std::string from;
  std::string to;
  Sha256 before{};  // hashes of the exports
  Sha256 after{};
};

inline constexpr std::string_view kDeltaEnd = "</delta:Delta>";
inline constexpr std::string_view kDeltaTopology = "<delta:Topology";
inline constexpr std::string_view kDeltaTopologyEnd = "</delta:Topology>";
inline constexpr std::string_view kDeltaDeleted = "<delta:Deleted";
inline constexpr std::string_view kDeltaDeletedEnd = "/>";

void put_attribute(TextBuffer& out, std::string_view name, std::string_view value);
void put_label(TextBuffer& out, const DeltaLabel& label);
Result<DeltaLabel> take_label(ExportedText& text);

void put_deleted(TextBuffer& out, Kind kind, std::string_view id);
struct Deleted {
  Kind kind = Kind::topology;
  std::string id;
};
// Nothing: there is none at this place.
Result<std::optional<Deleted>> take_deleted(ExportedText& text);

tl::unexpected<Error> not_a_delta(const ExportedText& text);

}  // namespace netml::codecs
