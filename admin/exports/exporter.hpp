// Exports: the live data of a version as a stream of XML, or what was published last
// (docs/requirements/http-api.md, sections 7 and 8; docs/requirements/importing.md, section 10).
//
// Thread: any.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "admin/exports/export_deltas.hpp"
#include "admin/exports/export_helpers.hpp"
#include "admin/exports/export_pieces.hpp"
#include "admin/exports/export_stream.hpp"
#include "admin/exports/publisher.hpp"
#include "admin/node/node.hpp"
#include "admin/views/views.hpp"
#include "engine/export/export_order.hpp"
#include "net/http/http.hpp"

namespace netml::admin {

// Differs whenever the bytes of an export may differ: the digest of what it shows, and which record
// is its root.
std::string entity_tag(const engine::Graph& graph, RecordId root);

// What `seen` shows of all of the map, which is seen through the view. Errc::not_found where it
// cannot be exported.
Result<ExportedState> exported_through(const Views& views, std::uint64_t view, Version whole,
                                       engine::StatePtr seen);

// What an export of `tree` does not contain of the data: "1 link whose ends carry the same
// identifier". Empty when it contains all.
std::string omissions(const engine::ExportTree& tree);
// The same for the log, with the first identifiers and what to do; no line when it contains all.
void warn_of_omissions(EventLog& events, std::string_view event, const engine::Graph& graph,
                       const engine::ExportTree& tree);

// Remembers the tree of what was asked for last. Making one visits all members of all topologies,
// while most requests are about content that was asked for before, and many for no byte of it
// (HEAD, 304). Thread: any.
class ExportTrees {
 public:
  explicit ExportTrees(EventLog& events) : events_(events) {}

  using Tree = tl::expected<std::shared_ptr<const engine::ExportTree>, engine::ExportFailure>;

  // `etag`: the entity_tag() of both. Warns of what a new tree omits.
  Tree of(const engine::Graph& graph, RecordId root, const std::string& etag);

 private:
  EventLog& events_;
  std::mutex mutex_;
  std::string etag_;  // of tree_; guarded by mutex_
  Tree tree_;         // guarded by mutex_
};

enum class ExportKind : std::uint8_t {
  configured,  // live or published, as the supply-type setting says
  live,
  published,
};

enum class ExportProblem : std::uint8_t {
  missing_root_topology,        // none marked main, or several
  missing_root_topology_owner,  // the main topology has no owner
  no_topology_owner,            // a topology below it has none
  nothing_published,
  other,  // the log has the cause under the request id
};
// In the words that clients of the reference node expect.
const char* problem_name(ExportProblem problem);

// Of what an export was made. No recipient learns of it: it tells of what a view hides.
struct ExportBasis {
  std::string head;                                // of the whole data then
  std::uint64_t published = 0;                     // number of the publication; 0: live data
  std::shared_ptr<const engine::StoredView> view;  // as it was then; null: all of the map
};

struct Export {
  bool published = false;  // decides the file name
  std::string etag;        // strong, without quotes: equal bytes have equal tags
  // When the state shown came about, and its "LSN:hash". Neither is known of what is seen through a
  // view: they change with what it hides.
  std::optional<Instant> last_modified;
  std::string head;                   // empty = header left out
  std::optional<ExportedState> live;  // which deltas may lead from and to; nothing when published
  ExportBasis basis;
  std::string omitted;  // what of the data the file does not contain, in words; empty = nothing
  net::Body body;       // holds its version until it is destroyed
};

class Exporter {
 public:
  // `cached_bytes_max`: of pieces that are cached between requests, for each view.
  Exporter(Node& node, Publisher& publisher, Views& views, std::uint64_t cached_bytes_max)
      : node_(node), publisher_(publisher), views_(views), cached_bytes_max_(cached_bytes_max) {}

  void set_cached_bytes_max(std::uint64_t bytes);

  using Opened = tl::expected<Export, ExportProblem>;
  // Cheap: bytes are made only as the body is pulled, and not at all for HEAD and 304; the first
  // time that a view shows a content, what it shows is made.
  Opened open(ExportKind kind, const net::Request& request, std::uint64_t view = kWholeMap);

  // The main topology with all below it.
  Opened open_live() { return open_root(node_.version()); }
  Opened open_root(const Version& version, std::uint64_t view = kWholeMap);
  Opened open_topology(const Version& version, RecordId topology, std::uint64_t view = kWholeMap);
  Opened open_published(const Caller& caller);

 private:
  // What is remembered of those who see the same.
  struct Made {
    Made(Node& node, std::uint64_t cached_bytes_max)
        : trees(node.events()),
          pieces(cached_bytes_max, node.memory(), &node.metrics().cache(CacheName::exports)) {}
    ExportTrees trees;
    ExportPieces pieces;
  };
  Made& made_for(std::uint64_t view);

  Opened open_view(ExportKind kind, const Caller& caller, std::uint64_t view);

  Node& node_;
  Publisher& publisher_;
  Views& views_;
  std::mutex mutex_;
  std::uint64_t cached_bytes_max_;                          // guarded by mutex_
  std::map<std::uint64_t, std::unique_ptr<Made>> by_view_;  // stay; guarded by mutex_
  ExportHelpers helpers_;
};

}  // namespace netml::admin
