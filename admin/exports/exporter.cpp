#include "admin/exports/exporter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "admin/settings/settings.hpp"
#include "codecs/netml/netml_writer.hpp"

namespace netml::admin {

namespace {

ExportProblem problem_of(engine::ExportFailure failure) {
  switch (failure) {
    case engine::ExportFailure::missing_root_topology:
      return ExportProblem::missing_root_topology;
    case engine::ExportFailure::missing_root_topology_owner:
      return ExportProblem::missing_root_topology_owner;
    case engine::ExportFailure::no_topology_owner:
      return ExportProblem::no_topology_owner;
  }
  return ExportProblem::other;
}

// What is worth sending by itself; smaller pieces are joined.
constexpr std::size_t kSentBytes = 256 << 10;

// What one export takes beside its version: texts on their way, and the order of the elements of a
// topology, which is made while its lists grow.
constexpr std::uint64_t kExportMemory = 4 << 20;
constexpr std::uint64_t kMemoryOfElement = 32;

class ExportStream : public net::BodySource {
 public:
  ExportStream(MemoryBudget& memory, engine::StatePtr state, engine::ExportTree tree,
               ExportPieces* pieces)
      : memory_(memory),
        state_(std::move(state)),
        bytes_(kExportMemory + kMemoryOfElement * tree.elements_max),
        writer_(state_->graph, std::move(tree)),
        pieces_(pieces) {}

  Result<std::string_view> next() override {
    newest_ ^= 1;
    Given& given = given_[newest_];
    given.text.clear();
    given.cached.reset();
    NETML_TRY_VOID(begin());
    while (given.text.size() < kSentBytes) {
      if (under_way_) {
        write_part(given.text);
        continue;
      }
      if (ready_ == nullptr) {
        under_way_ = writer_.next();
        if (!under_way_) break;
        if (pieces_ != nullptr) look_for_cached(given.text);
        continue;
      }
      if (ready_->size() >= kSentBytes) {
        if (!given.text.empty()) break;
        given.cached = std::exchange(ready_, nullptr);
        return std::string_view(*given.cached);
      }
      given.text += *std::exchange(ready_, nullptr);
    }
    return std::string_view(given.text);
  }

 private:
  // Not before: many ask for no byte of an export.
  Status begin() {
    if (begun_) return {};
    constexpr std::chrono::seconds kPatience{2};
    // Not waiting, it asks beside those who wait for more.
    auto reserved = memory_.reserve(MemoryUse::exports, bytes_);
    if (!reserved) reserved = memory_.reserve_within(kPatience, MemoryUse::exports, bytes_);
    NETML_TRY(reserved_, std::move(reserved));
    if (pieces_ != nullptr) content_ = pieces_->follow(state_->graph);
    begun_ = true;
    return {};
  }

  void write_part(std::string& text) {
    const std::size_t before = text.size();
    const bool whole = writer_.write_part(*under_way_, text, kSentBytes);
    piece_bytes_ += text.size() - before;
    if (whole) end_piece();
  }
  void end_piece() {
    last_bytes_ = std::exchange(piece_bytes_, 0);
    under_way_.reset();
  }

  // The piece under way becomes ready, if it is cached or can be from now on; what turns out to be
  // too long for that is written to `text`.
  void look_for_cached(std::string& text) {
    ready_ = pieces_->find(content_, *under_way_);
    if (ready_ != nullptr) return under_way_.reset();
    if (!pieces_->wants(content_, last_bytes_)) return;
    std::string written;
    written.reserve(last_bytes_ + last_bytes_ / 16);  // topologies are often alike
    while (!writer_.write_part(*under_way_, written, written.size() + kSentBytes)) {
      if (pieces_->wants(content_, 2 * written.size())) continue;
      piece_bytes_ = written.size();
      text += written;
      return;
    }
    piece_bytes_ = written.size();
    ready_ = std::make_shared<const std::string>(std::move(written));
    pieces_->store(content_, *under_way_, ready_);
    end_piece();
  }

  // What a call gave: a cached piece, or a text made for it.
  struct Given {
    ExportPieces::Text cached;
    std::string text;
  };

  MemoryBudget& memory_;
  engine::StatePtr state_;
  const std::uint64_t bytes_;
  codecs::NetmlWriter writer_;
  ExportPieces* pieces_;
  bool begun_ = false;
  MemoryReservation reserved_;                    // once it has begun
  engine::Digest content_;                        // once it has begun, where pieces are cached
  std::optional<ExportPieces::Piece> under_way_;  // is written a part at a time
  std::size_t piece_bytes_ = 0;                   // of it, so far
  std::size_t last_bytes_ = 0;                    // of the piece before
  ExportPieces::Text ready_;                      // comes next
  std::array<Given, 2> given_;                    // by the last two calls
  std::size_t newest_ = 0;
};

}  // namespace

const char* problem_name(ExportProblem problem) {
  switch (problem) {
    case ExportProblem::missing_root_topology:
      return "MissingRootTopologyException";
    case ExportProblem::missing_root_topology_owner:
      return "MissingRootTopologyOwnerException";
    case ExportProblem::no_topology_owner:
      return "NoTopologyOwnerError";
    case ExportProblem::nothing_published:
    case ExportProblem::other:
      break;
  }
  return "Exception";
}

std::string entity_tag(const engine::Graph& graph, RecordId root) {
  const engine::Digest digest = export_content(graph);
  return fmt::format("{:016x}{:016x}-{}", digest.high, digest.low, root.value);
}

std::string omissions(const engine::ExportTree& tree) {
  const std::size_t count = tree.omitted_links.size();
  if (count == 0) return {};
  return fmt::format("{} {}", count, count == 1 ? engine::kOmittedLink : engine::kOmittedLinks);
}

void warn_of_omissions(EventLog& events, std::string_view event, const engine::Graph& graph,
                       const engine::ExportTree& tree) {
  constexpr std::size_t kNamedMax = 10;
  const std::vector<RecordId>& links = tree.omitted_links;
  if (links.empty()) return;
  std::string named;
  for (std::size_t i = 0; i < std::min(links.size(), kNamedMax); ++i)
    named += fmt::format("{}{}", i == 0 ? "" : ", ", graph.attributes(links[i]).id());
  if (links.size() > kNamedMax) named += ", ...";
  events.warning(event, fmt::format("the export omits {}: {}; give one of the two nodes another "
                                    "identifier, or merge them",
                                    omissions(tree), named));
}

// Several may make the same one at a time; nobody waits for that but themselves.
ExportTrees::Tree ExportTrees::of(const engine::Graph& graph, RecordId root,
                                  const std::string& etag) {
  {
    const std::lock_guard lock(mutex_);
    if (etag == etag_) return tree_;
  }
  Tree tree = export_tree(graph, root).map([](engine::ExportTree&& made) {
    return std::make_shared<const engine::ExportTree>(std::move(made));
  });
  if (tree) warn_of_omissions(events_, "export", graph, **tree);
  const std::lock_guard lock(mutex_);
  etag_ = etag;
  tree_ = tree;
  return tree;
}

std::unique_ptr<net::BodySource> export_stream(MemoryBudget& memory, engine::StatePtr state,
                                               engine::ExportTree tree, ExportPieces* pieces) {
  return std::make_unique<ExportStream>(memory, std::move(state), std::move(tree), pieces);
}

Exporter::Opened Exporter::open(ExportKind kind, const net::Request& request) {
  const Caller caller{engine::ActorKind::token, {}, request.client_address, request.id};
  switch (kind) {
    case ExportKind::live:
      return open_live();
    case ExportKind::published:
      return open_published(caller);
    case ExportKind::configured:
      break;
  }
  const bool published = setting_value(node_.version().state->catalog, kSupplyType) == "Published";
  return published ? open_published(caller) : open_live();
}

Exporter::Opened Exporter::open_root(const Version& version) {
  const auto root = export_root(version.state->graph);
  if (!root) return tl::unexpected(problem_of(root.error()));
  return open_topology(version, *root);
}

Exporter::Opened Exporter::open_topology(const Version& version, RecordId topology) {
  Export result;
  result.etag = entity_tag(version.state->graph, topology);
  const ExportTrees::Tree tree = trees_.of(version.state->graph, topology, result.etag);
  if (!tree) return tl::unexpected(problem_of(tree.error()));
  result.last_modified = version.state->effective_time.instant();
  result.head = version.head;
  result.omitted = omissions(**tree);
  result.body =
      net::StreamBody{.source = export_stream(node_.memory(), version.state, **tree, &pieces_),
                      .length = std::nullopt,
                      .made_ahead = true};
  return result;
}

Exporter::Opened Exporter::open_published(const Caller& caller) {
  const Version version = node_.version();
  const std::uint64_t number = latest_published(version.state->catalog);
  if (number == 0) return tl::unexpected(ExportProblem::nothing_published);
  const auto item = version.state->catalog.published.find(number);
  auto file = publisher_.open(number);
  if (!file) {
    node_.note_failure(caller, file.error());
    return tl::unexpected(ExportProblem::other);
  }
  Export result;
  result.published = true;
  result.etag = std::move(file->etag);
  result.last_modified = item->file_date;
  result.head = version.head;
  result.body = std::move(file->body);
  return result;
}

}  // namespace netml::admin
