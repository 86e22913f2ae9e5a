// One file of one peer: asked for over HTTP(S), streamed into an import that is not committed yet
// (polling-and-publishing.md, section 4; durability-and-security.md, N3 to N6).
//
// Thread: any.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "admin/services/import_job.hpp"
#include "net/outgoing.hpp"

namespace netml::admin {

// What an earlier answer told of a peer; saves work, and may be forgotten.
struct PeerMemory {
  std::string etag;       // of the file that was imported last
  bool by_alias = false;  // it knows the export by its GRENML name only
};

struct FetchOrder {
  net::Peer peer;
  std::string path;  // of the source: empty, or with a slash at its end
  std::optional<std::string> token;
  PeerMemory memory;
  net::OutgoingRules rules;
  net::ClientLimits limits;
  std::function<Result<std::unique_ptr<ImportJob>>()> begin_import;
};

// `reason` is for programs: the name of a net::OutgoingProblem, or one of redirect, denied,
// not_found, no_root_topology, no_root_owner, no_topology_owner, peer_error, unexpected_answer,
// encoding, too_large, time_out, incomplete, local.
struct FetchFailure {
  std::string reason;
  std::string text;
  std::optional<int> http_status;
};
// "Polling error: ... [HTTP status 403]", of at most 255 characters.
std::string failure_message(const FetchFailure& failure);
// As much of a text as a message holds, in whole characters, with `end` after it.
std::string cut_message(std::string text, std::string_view end = {});

struct Fetched {
  std::unique_ptr<ImportJob> job;  // none: the peer's file is the one that was imported last
  PeerMemory memory;
};

tl::expected<Fetched, FetchFailure> fetch_from_peer(const FetchOrder& order, const Clock& clock);

}  // namespace netml::admin
