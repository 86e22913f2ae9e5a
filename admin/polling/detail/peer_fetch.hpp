// One file of one peer: asked for over HTTP(S), streamed into an import that is not committed yet
// (docs/requirements/polling-and-publishing.md, section 4; rules N3 to N6).
//
// Thread: any.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "admin/imports/intake.hpp"
#include "admin/polling/detail/peer_request.hpp"
#include "admin/polling/netbox_choice.hpp"
#include "codecs/document/read_limits.hpp"

namespace netml::admin {

inline constexpr std::size_t kEtagMax = 255;  // of the tag of a file, or what stands for it

// What an earlier answer said of a peer; saves work, and may be forgotten.
struct PeerMemory {
  std::string etag = {};  // of the file that was imported last; of a NetBox: netbox_fetch.hpp
  bool by_alias = false;  // it knows the export by its GRENML name only
  std::optional<Sha256> file_hash = {};  // of that file
};

struct FetchOrder {
  net::Peer peer;
  std::string path = {};  // of the source: empty, or with a slash at its end
  std::optional<std::string> token = {};
  PeerMemory memory = {};
  net::OutgoingRules rules = {};
  net::ClientLimits limits = {};
  std::size_t attempts_max = 1;  // while it cannot be reached
  std::chrono::milliseconds retry_after{0};
  std::stop_token stop = {};
  std::function<Intake::Begun()> begin_upload = {};
  // Of a NetBox alone.
  engine::SourceKind kind = engine::SourceKind::netml;
  NetboxChoice choice = {};
  codecs::ReadLimits page_limits = {};
  std::function<Result<std::string>()> last_file = {};  // that of the hash in `memory`
};

struct Fetched {
  std::unique_ptr<Upload> upload;  // none: the peer's file is the one that was imported last
  PeerMemory memory;               // the hash is that of the file before
};

tl::expected<Fetched, FetchFailure> fetch_from_peer(const FetchOrder& order, const Clock& clock,
                                                    Random& random);

}  // namespace netml::admin
