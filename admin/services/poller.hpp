// Collects the maps of peers (polling-and-publishing.md, sections 4 to 6): fetches several at once
// and imports one after another, in the order of the sources. One that fails stops no other.
//
// Thread: any. A poll returns when all of it is done.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "admin/services/import_job.hpp"
#include "admin/services/sources.hpp"
#include "net/outgoing.hpp"

namespace netml::admin {

struct PollRules {
  net::OutgoingRules outgoing;
  net::ClientLimits limits = default_limits();
  bool may_skip_verification = false;  // of sources that ask for it: development mode
  bool sandbox = false;                // nothing is polled (N11)

  static net::ClientLimits default_limits();
};

enum class PollEnd : std::uint8_t { imported, unchanged, failed };

struct PollReport {
  std::uint64_t source = 0;
  std::string name;
  PollEnd end = PollEnd::failed;
  std::string reason;  // of a failure, for programs: as FetchFailure's, or "import"
  std::optional<int> http_status;
  std::string message;       // of a failure, at most 255 characters
  ImportResult result;       // when imported
  std::uint64_t record = 0;  // of the import, or of the failure; 0 when nothing was noted
};

class Poller {
 public:
  static constexpr std::size_t kFetchesAtOnce = 4;

  Poller(Node& node, const Sources& sources) : node_(node), sources_(sources) {}

  // Before the first poll.
  void set_rules(PollRules rules) { rules_ = std::move(rules); }

  // The named sources, whether active or not; without names all that are active. `allowed` is added
  // to the internal networks that may be reached. Errc::not_found for a name that no source has;
  // Errc::conflict while another poll runs; Errc::denied in a sandbox.
  Result<std::vector<PollReport>> poll(const Caller& caller, const std::vector<std::string>& names,
                                       const std::vector<net::IpNetwork>& allowed = {});

 private:
  class Run;
  // What a peer told, with the source as it was then: any change of it makes the rest void.
  struct Remembered {
    std::shared_ptr<const engine::PollingSource> source;
    std::string etag;
    bool by_alias = false;
  };

  Node& node_;
  const Sources& sources_;
  PollRules rules_;
  std::atomic<bool> polling_{false};
  std::mutex mutex_;
  std::map<std::uint64_t, Remembered> remembered_;  // by source; guarded by mutex_
};

}  // namespace netml::admin
