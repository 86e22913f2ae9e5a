// What changed at a peer since it was polled last, instead of the whole map, where the peer offered
// that (docs/following.md): the file that was imported last and the changes make the file that the
// peer would send now, to the byte.
//
// Thread: any.
#pragma once

#include <optional>
#include <string>

#include "admin/polling/detail/peer_fetch.hpp"

namespace netml::admin {

// What is remembered of a peer that offers deltas: "delta1 LSN:hash ETAG".
struct DeltaMemory {
  std::string head;  // of the file that was imported last
  std::string etag;  // of that, as in an answer

  // Nothing: it is the tag of a file alone, or something else.
  static std::optional<DeltaMemory> parse(std::string_view text);
  // Of an answer with a whole map: its tag, and its head where the peer offers deltas.
  static std::string of(const net::ClientResponse& answer);
  std::string text() const;
};

// The tag of what is remembered, of whichever peer.
std::string remembered_etag(const std::string& memory);

struct DeltaFetch {
  // Nothing: the whole must be fetched.
  std::optional<tl::expected<Fetched, FetchFailure>> fetched;
  // Why a delta that came was of no use; empty: it was, or none came.
  std::string fault;
};
DeltaFetch fetch_delta(const FetchOrder& order, const Clock& clock);

}  // namespace netml::admin
