// Makes a map of the tables of a NetBox: sites, locations or devices are nodes, tenants or
// providers owners, circuits and paths of cables between nodes are links, all in one topology or in
// one for each region or tenant (docs/formats/netbox.md).
//
// Each field that the mapping names is counted: as carried where it is on the map, else as lost
// with the reason. Identifiers are made from the numbers that NetBox gave, so a site may be
// renamed.
//
// Thread: any; the draft belongs to the call.
#pragma once

#include <string_view>

#include "codecs/formats/draft/map_draft.hpp"
#include "codecs/formats/netbox/netbox_mapping.hpp"
#include "codecs/formats/netbox/netbox_tables.hpp"

namespace netml::codecs::netbox {

// The tables are sealed, were read for that mapping, and live as long as the draft, which is empty.
// Identifiers are made in the network of that name.
void draft_map(const Tables& tables, std::string_view network, const Mapping& mapping,
               MapDraft& draft);

// The same as a document, of tables that no file is behind.
ReadResult make_document(const Tables& tables, const Mapping& mapping, const DraftOptions& options);

}  // namespace netml::codecs::netbox
