// NML: what its fields are here (docs/formats/nml.md). The reader and the writer go by this table.
//
// Thread: any (constants).
#pragma once

#include <array>
#include <string_view>

#include "codecs/formats/draft/field_rules.hpp"

namespace netml::codecs {

// Older drafts have other dates in it.
inline constexpr std::string_view kNmlNamespaces = "http://schemas.ogf.org/nml/";
inline constexpr std::string_view kNsiNamespaces = "http://schemas.ogf.org/nsi/";
inline constexpr std::string_view kNmlBaseNamespace = "http://schemas.ogf.org/nml/2013/05/base#";
// Of what NML has no word for.
inline constexpr std::string_view kNmlExtension = "urn:netml:nml";
inline constexpr std::string_view kVcardNamespace = "urn:ietf:params:xml:ns:vcard-4.0";

// Identifiers that begin so were made by the writer, because NML needs more of them than a map has.
inline constexpr std::string_view kMadeForNml = "urn:netml:made:";

// "x.y": an attribute y of an element x, or the text of an element y in it; a Relation is called by
// its type. "*": all others.
inline constexpr std::array kNmlTopologyFields{
    FieldRule{"topology.id", Target::identifier},   FieldRule{"topology.name", Target::name},
    FieldRule{"topology.version", Target::version}, FieldRule{"topology.owner", Target::owner},
    FieldRule{"topology.parent", Target::parent},   FieldRule{"topology.*", Target::property},
};

inline constexpr std::array kNmlNodeFields{
    FieldRule{"node.id", Target::identifier},
    FieldRule{"node.name", Target::name},
    FieldRule{"node.short_name", Target::short_name},
    FieldRule{"node.version", Target::version},
    FieldRule{"node.lifetime.start", Target::start},
    FieldRule{"node.lifetime.end", Target::end},
    FieldRule{"node.location.lat", Target::latitude},
    FieldRule{"node.location.long", Target::longitude},
    FieldRule{"node.location.alt", Target::altitude},
    FieldRule{"node.location.unlocode", Target::unlocode},
    FieldRule{"node.location.address", Target::address},
    FieldRule{"node.owner", Target::owner},
    FieldRule{"node.topology", Target::topology},
    FieldRule{"node.key", Target::key},
    FieldRule{"node.*", Target::property},
};

inline constexpr std::array kNmlLinkFields{
    FieldRule{"link.id", Target::identifier},
    FieldRule{"link.name", Target::name},
    FieldRule{"link.short_name", Target::short_name},
    FieldRule{"link.version", Target::version},
    FieldRule{"link.lifetime.start", Target::start},
    FieldRule{"link.lifetime.end", Target::end},
    FieldRule{"link.owner", Target::owner},
    FieldRule{"link.topology", Target::topology},
    FieldRule{"link.issource", Target::link_end},
    FieldRule{"link.issink", Target::link_end},
    FieldRule{"link.*", Target::property},
    FieldRule{"pair.*", Target::property},
};

inline constexpr std::array kNmlOtherFields{
    FieldRule{"port.*", Target::half_link},
    FieldRule{"institution.id", Target::identifier},
    FieldRule{"institution.name", Target::name},
    FieldRule{"institution.short_name", Target::short_name},
    FieldRule{"institution.version", Target::version},
    FieldRule{"institution.location.lat", Target::latitude},
    FieldRule{"institution.location.long", Target::longitude},
    FieldRule{"institution.location.alt", Target::altitude},
    FieldRule{"institution.location.unlocode", Target::unlocode},
    FieldRule{"institution.location.address", Target::address},
    FieldRule{"institution.topology", Target::topology},
    FieldRule{"institution.*", Target::property},
    FieldRule{"contact", Target::nothing, "it is about a person"},
    FieldRule{"nsa.*", Target::property},
};

inline constexpr auto kNmlFields =
    joined(kNmlTopologyFields, kNmlNodeFields, kNmlLinkFields, kNmlOtherFields);

}  // namespace netml::codecs
