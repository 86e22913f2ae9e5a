#include "admin/imports/place_search.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "admin/base/effect_memory.hpp"
#include "admin/exports/exporter.hpp"
#include "codecs/formats/file_format.hpp"
#include "engine/places/set_places.hpp"

namespace netml::admin {

namespace {

// The exchange format cannot say that a place is unknown: its import would set 0/0. CSV holds all
// that the map has, and people can read what was proposed.
constexpr std::string_view kFormat = "csv";
constexpr std::string_view kFileName = "places.csv";

ImportRequest import_request(const PlaceRequest& request) {
  ImportRequest wanted;
  wanted.caller = request.caller;
  wanted.source = engine::ImportSource::command_line;
  wanted.file_name = kFileName;
  wanted.format = kFormat;
  wanted.place = ImportPlace::where_it_is;
  return wanted;
}

// What an export leaves out, its import would delete.
Result<engine::ExportTree> whole_tree(const engine::Graph& graph, RecordId topology) {
  auto tree = engine::export_tree(graph, topology);
  if (!tree)
    return fail(Errc::conflict,
                "a plan needs an export of the topology, and it, or one below it, has no owner");
  if (tree->omitted_links.empty()) return *std::move(tree);
  return fail(Errc::conflict, fmt::format("an export of the topology lacks {}, which a plan would "
                                          "delete; give one of the two nodes another identifier, "
                                          "or merge them",
                                          omissions(*tree)));
}

std::vector<RecordId> topologies_of(const engine::ExportTree& tree) {
  std::vector<RecordId> topologies;
  topologies.reserve(tree.steps.size());
  for (const engine::ExportStep& step : tree.steps) topologies.push_back(step.topology);
  return topologies;
}

tl::unexpected<ImportFailure> invalid_gazetteer(const engine::InputError& error) {
  return tl::unexpected(ImportFailure{.error = {Errc::invalid_input, "the gazetteer is not valid"},
                                      .errors = {{error}, 1}});
}

}  // namespace

PlaceSearch::Begun PlaceSearch::begin(Node& node, Intake& intake, const Version& version,
                                      PlaceRequest request) {
  if (auto refused = intake.admit(import_request(request), UploadEnd::plan))
    return tl::unexpected(*std::move(refused));
  const auto tree = whole_tree(version.state->graph, request.topology);
  if (!tree) return tl::unexpected(ImportFailure{.error = tree.error()});
  std::unique_ptr<PlaceSearch> search(
      new PlaceSearch(node, intake, version.state, std::move(request), *tree));
  if (const Status room = reserve_effects(node.memory(), search->memory_, search->finder_.nodes());
      !room)
    return tl::unexpected(ImportFailure{.error = room.error()});
  return search;
}

PlaceSearch::PlaceSearch(Node& node, Intake& intake, engine::StatePtr state, PlaceRequest request,
                         const engine::ExportTree& tree)
    : node_(node),
      intake_(intake),
      state_(std::move(state)),
      request_(std::move(request)),
      finder_(state_->graph, topologies_of(tree), request_.country),
      reader_([this](const engine::Country& country) { finder_.offer(country); },
              [this](const engine::City& city) { finder_.offer(city); }) {}

tl::expected<void, ImportFailure> PlaceSearch::write(std::string_view piece) {
  const auto read = reader_.write(piece);
  if (!read) return invalid_gazetteer(read.error());
  return {};
}

tl::expected<ProposedPlaces, ImportFailure> PlaceSearch::finish() {
  if (const auto read = reader_.finish(); !read) return invalid_gazetteer(read.error());
  if (!finder_.knows_country())
    return tl::unexpected(ImportFailure{
        .error = {Errc::invalid_input,
                  fmt::format("the gazetteer has no country {}", request_.country), "country"}});
  ProposedPlaces proposed{reader_.source(), finder_.finish(), state_, {}};
  if (proposed.places.found.empty()) return proposed;
  auto upload = intake_.begin(import_request(request_));
  if (!upload) return tl::unexpected(std::move(upload).error());
  if (const Status written = export_into(**upload, proposed.places); !written)
    return tl::unexpected(ImportFailure{.error = written.error()});
  // A plan of the file would undo what came since.
  if (node_.version().state->graph.digest() != state_->graph.digest())
    return tl::unexpected(ImportFailure{
        .error = {Errc::conflict, "the map changed while places were looked up; try again"}});
  ImportOutcome planned = (*upload)->finish(UploadEnd::plan);
  if (!planned) return tl::unexpected(std::move(planned).error());
  proposed.plan = *std::move(planned);
  return proposed;
}

// The topology as it would be with these places.
Status PlaceSearch::export_into(Upload& upload, const engine::FoundPlaces& places) const {
  const engine::Transaction transaction =
      engine::set_places(*state_, places.found, reader_.source());
  NETML_TRY(const engine::State placed, engine::apply(*state_, transaction, state_->lsn.next()));
  NETML_TRY(const codecs::WrittenFile file,
            codecs::find_format(kFormat)->write(placed.graph, request_.topology));
  return upload.write(file.bytes);
}

}  // namespace netml::admin
