// Makes a map of the tables of a NetBox: sites are nodes, their tenants owners, circuits and paths
// of cables between sites are links (docs/formats/netbox.md).
//
// Each field that the mapping names is counted: as carried where it is on the map, else as lost
// with the reason. Identifiers are made from the numbers that NetBox gave, so a site may be
// renamed.
//
// Thread: any; the draft belongs to the call.
#pragma once

#include <cstdint>
#include <string_view>

#include "codecs/formats/draft/map_draft.hpp"
#include "codecs/formats/netbox/netbox_tables.hpp"

namespace netml::codecs::netbox {

enum class Owners : std::uint8_t { tenants, providers };  // providers own circuits only

struct Mapping {
  std::string_view network;  // that identifiers are made in
  Owners owners = Owners::tenants;
};

// The tables are sealed and live as long as the draft; its root topology is made.
void draft_map(const Tables& tables, const Mapping& mapping, MapDraft& draft);

// The same as a document, of tables that no file is behind.
ReadResult make_document(const Tables& tables, const Mapping& mapping, const DraftOptions& options);

}  // namespace netml::codecs::netbox
