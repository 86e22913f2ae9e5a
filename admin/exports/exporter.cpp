#include "admin/exports/exporter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "admin/settings/settings.hpp"

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
  result.body = net::StreamBody{
      .source = export_stream(node_.memory(), version.state, **tree, &pieces_, &helpers_),
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
