// What a map is made of in one NetBox: asked for page by page and written into an import as a dump
// of those records (docs/formats/netbox.md, "A NetBox that is polled").
//
// The memory of an answer is the time of it, that of the last reading of everything, and what was
// asked for. With it, and with the dump that was imported then, only records are asked for that
// changed since, and how many there are; where their number is another one, which. Once a day
// everything is read: what NetBox changes without saying when does not last longer.
//
// No address that a NetBox answers is followed: each request goes to the source's own host.
//
// Thread: any.
#pragma once

#include "admin/polling/detail/peer_fetch.hpp"

namespace netml::admin {

tl::expected<Fetched, FetchFailure> fetch_from_netbox(const FetchOrder& order, const Clock& clock);

// Whether it gives records of each sort to the token; how many sites there are.
tl::expected<std::uint64_t, FetchFailure> try_netbox(const FetchOrder& order, const Clock& clock);

}  // namespace netml::admin
