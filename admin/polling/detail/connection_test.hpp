// Whether a peer can be polled, found out without polling it
// (docs/requirements/polling-and-publishing.md, section 9).
//
// Thread: any.
#pragma once

#include "admin/polling/detail/peer_request.hpp"
#include "admin/polling/netbox_choice.hpp"
#include "admin/polling/polling.hpp"
#include "codecs/formats/file_format.hpp"

namespace netml::admin {

struct ConnectionOrder {
  net::Peer peer;
  std::string status_target;
  std::string path;  // of the source
  engine::SourceKind kind = engine::SourceKind::netml;
  NetboxChoice choice = {};
  std::optional<std::string> token;
  net::OutgoingRules rules;
  net::ClientLimits limits;
  std::chrono::nanoseconds end{0};  // of all that it does, by the steady clock
  codecs::FileLimits file_limits;
};

// Asks for the status without a token; then, with it, for the beginning of the map. A NetBox, which
// says nothing without a token, for records of each sort.
ConnectionReport test_connection(const ConnectionOrder& order, const Clock& clock);

}  // namespace netml::admin
