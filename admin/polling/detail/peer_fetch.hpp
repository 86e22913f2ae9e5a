// One file of one peer: asked for over HTTP(S), streamed into an import that is not committed yet
// (docs/requirements/polling-and-publishing.md, section 4; rules N3 to N6).
//
// Thread: any.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "admin/base/memory_budget.hpp"
#include "admin/imports/intake.hpp"
#include "admin/polling/detail/peer_request.hpp"
#include "admin/polling/netbox_choice.hpp"
#include "codecs/document/read_limits.hpp"
#include "codecs/netml/delta/taken_export.hpp"
#include "engine/base/parallel.hpp"
#include "engine/import/changed_file.hpp"

namespace netml::admin {

inline constexpr std::size_t kEtagMax = 255;  // of the tag of a file, or what stands for it

// What an earlier answer said of a peer; saves work, and may be forgotten.
struct PeerMemory {
  // Of the file that was imported last; with where deltas begin (delta_fetch.hpp); of a NetBox:
  // netbox_fetch.hpp.
  std::string etag = {};
  bool by_alias = false;                     // it knows the export by its GRENML name only
  std::optional<Sha256> file_hash = {};      // of that file
  std::vector<std::string> changes_of = {};  // as it is kept (engine::ImportRecord)
};

// A file that was made of the one in the memory and a delta.
struct MadeWhole {
  std::unique_ptr<Upload> upload;
  std::shared_ptr<const codecs::TakenExport> taken;
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
  std::function<Intake::Begun(ReadWhen)> begin_upload = {};
  std::function<Result<std::string>()> last_file = {};    // that of the hash in `memory`
  std::shared_ptr<const codecs::TakenExport> taken = {};  // of that; null: not known
  std::function<Result<MadeWhole>(std::string_view delta)> make_whole = {};
  // That deltas and pages are read within; null only where a connection is tried.
  MemoryBudget* memory_budget = nullptr;
  Parallel* parallel = nullptr;  // for what changed; null as above
  // Of a NetBox alone.
  engine::SourceKind kind = engine::SourceKind::netml;
  NetboxChoice choice = {};
  codecs::ReadLimits page_limits = {};  // of deltas, too
};

struct Fetched {
  std::unique_ptr<Upload> upload;  // none: the peer's file is the one that was imported last
  PeerMemory memory;               // the hash is that of the file before
  std::string delta = {};          // that it was made with, or is; empty: it came whole
  std::string delta_fault = {};    // why changes that came were of no use
  MemoryReservation memory_of_delta = {};  // of it and all that it names
  // What the upload says, where that is the delta.
  std::optional<engine::FileChanges> changes = {};
  // What is known of the file that is the peer's now; null: nothing.
  std::shared_ptr<const codecs::TakenExport> taken = {};
};

tl::expected<Fetched, FetchFailure> fetch_from_peer(const FetchOrder& order, const Clock& clock,
                                                    Random& random);

}  // namespace netml::admin
