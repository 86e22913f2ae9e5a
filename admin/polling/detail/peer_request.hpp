// One request to a peer, and what its answer says when it is not the one that was hoped for
// (docs/requirements/polling-and-publishing.md, section 4; rules N3 to N6 and N9).
//
// Thread: any.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "engine/catalog/catalog.hpp"
#include "net/client/outgoing.hpp"

namespace netml::admin {

// `reason` is for programs: the name of a net::OutgoingProblem, or one of redirect, denied,
// not_found, no_root_topology, no_root_owner, no_topology_owner, peer_error, unexpected_answer,
// encoding, too_large, time_out, incomplete, local.
struct FetchFailure {
  std::string reason;
  std::string text;
  std::optional<int> http_status;
};
// "Polling error: ... [HTTP status 403]", of at most 255 bytes.
std::string failure_message(const FetchFailure& failure);
// As much of a text as a message holds, in whole characters, with `end` after it.
std::string cut_message(std::string text, std::string_view end = {});

net::Peer peer_of(const engine::PollingSource& source, bool may_skip_verification);

struct PeerRequest {
  net::Peer peer;
  std::string target;
  std::optional<std::string> token;
  std::string etag;  // of what is known already; empty = none
  std::string_view accept = "application/xml";
  std::string_view scheme = "Bearer";  // of the token
  bool takes_deltas = false;           // is said of this node (docs/following.md)
  net::OutgoingRules rules;
  net::ClientLimits limits;
  std::stop_token stop;
};

using PeerAnswer = tl::expected<net::ClientResponse, FetchFailure>;

// The body of a success goes to `take`, whose error ends it all. Redirects are not followed.
PeerAnswer ask_peer(const PeerRequest& request, const net::BodyConsumer& take, const Clock& clock);

// What an answer means that is no success.
FetchFailure refusal(const net::ClientResponse& response);
// An error on this side, or of the way of the answer.
FetchFailure broken(const Error& error);

}  // namespace netml::admin
