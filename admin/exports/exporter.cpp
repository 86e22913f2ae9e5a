#include "admin/exports/exporter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "admin/settings/settings.hpp"
#include "engine/base/sha256.hpp"

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

Result<ExportedState> exported_through(const Views& views, std::uint64_t view, Version whole,
                                       engine::StatePtr seen) {
  const auto root = export_root(seen->graph);
  if (!root) return fail(Errc::not_found, "there is no map to export");
  const std::string tag = views.opaque_tag(entity_tag(seen->graph, *root));
  std::string place = views.opaque_place(view, tag);
  return ExportedState{std::move(place), std::move(whole), std::move(seen), view};
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

void Exporter::set_cached_bytes_max(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  cached_bytes_max_ = bytes;
  for (const auto& [view, made] : by_view_) made->pieces.set_bytes_max(bytes);
}

Exporter::Made& Exporter::made_for(std::uint64_t view) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<Made>& made = by_view_[view];
  if (made == nullptr) made = std::make_unique<Made>(node_, cached_bytes_max_);
  return *made;
}

Exporter::Opened Exporter::open(ExportKind kind, const net::Request& request, std::uint64_t view) {
  const Caller caller{engine::ActorKind::token, {}, request.client_address, request.id};
  if (kind == ExportKind::configured) {
    const bool published =
        setting_value(node_.version().state->catalog, kSupplyType) == "Published";
    kind = published ? ExportKind::published : ExportKind::live;
  }
  if (view != kWholeMap) return open_view(kind, caller, view);
  return kind == ExportKind::published ? open_published(caller) : open_live();
}

// A view of now shows what was published then, too.
Exporter::Opened Exporter::open_view(ExportKind kind, const Caller& caller, std::uint64_t view) {
  const Version now = node_.version();
  const engine::Catalog& catalog = now.state->catalog;
  ExportBasis basis{now.head, 0, catalog.views.find(view)};
  const bool published = kind == ExportKind::published;
  if (published) basis.published = latest_published(catalog);
  if (published && basis.published == 0) return tl::unexpected(ExportProblem::nothing_published);
  const auto state = [&]() -> Result<engine::StatePtr> {
    if (!published) return views_.seen_as(now.state, basis.view);
    NETML_TRY(const PublishedEntry entry, node_.published_entry(basis.published));
    return views_.seen_as(to_hex(entry.graph_file), basis.view,
                          [&] { return node_.published_state(basis.published); });
  }();
  if (!state) {
    node_.note_failure(caller, state.error());
    return tl::unexpected(ExportProblem::other);
  }
  Opened opened = open_root(Version{*state, {}}, view);
  if (!opened) return opened;
  opened->published = published;
  opened->basis = std::move(basis);
  if (published) return opened;
  opened->live = ExportedState{views_.opaque_place(view, opened->etag), now, *state, view};
  return opened;
}

Exporter::Opened Exporter::open_root(const Version& version, std::uint64_t view) {
  const auto root = export_root(version.state->graph);
  if (!root) return tl::unexpected(problem_of(root.error()));
  return open_topology(version, *root, view);
}

Exporter::Opened Exporter::open_topology(const Version& version, RecordId topology,
                                         std::uint64_t view) {
  Made& made = made_for(view);
  Export result;
  result.etag = entity_tag(version.state->graph, topology);
  const ExportTrees::Tree tree = made.trees.of(version.state->graph, topology, result.etag);
  if (!tree) return tl::unexpected(problem_of(tree.error()));
  if (view == kWholeMap) {
    result.last_modified = version.state->effective_time.instant();
    result.head = version.head;
    result.basis.head = version.head;
    result.live = exported_whole(version);
  } else {
    result.etag = views_.opaque_tag(result.etag);
  }
  result.omitted = omissions(**tree);
  result.body = net::StreamBody{
      .source = export_stream(node_.memory(), version.state, **tree, &made.pieces, &helpers_),
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
  result.basis = {version.head, number, nullptr};
  result.body = std::move(file->body);
  return result;
}

}  // namespace netml::admin
