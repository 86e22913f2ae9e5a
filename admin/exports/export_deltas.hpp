// What changed since a state that a peer has of the map, for peers that say that they take it
// (docs/following.md). States that were given to such a peer lately are held in memory; those of
// before are made from the journal, as far as they are not long ago, and as all of the map is seen:
// of what is seen through a view no LSN may be named, so nothing leads back to them.
//
// Failure: Errc::not_found for a place that is not of this history, or of too long ago, and
// Errc::too_large for too many changes: the whole map must be taken then. Errc::unavailable where
// too much is made already. Thread: any.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "admin/base/cache.hpp"
#include "admin/node/node.hpp"
#include "admin/views/views.hpp"
#include "codecs/document/text_buffer.hpp"
#include "codecs/netml/delta/exported_map.hpp"
#include "engine/base/parallel.hpp"

namespace netml::admin {

// A state as it was given to recipients.
struct ExportedState {
  std::string place;  // how they name it: the head; Views::opaque_place() through a view
  Version whole;      // all of the map
  engine::StatePtr seen;
  std::uint64_t view = kWholeMap;
};

// All of the map, which its head names.
inline ExportedState exported_whole(const Version& version) {
  return {.place = version.head, .whole = version, .seen = version.state};
}

class ExportDeltas {
 public:
  struct Delta {
    std::string from_head;  // of all the data at the state where it begins
    codecs::TextBuffer text;
  };
  using DeltaPtr = std::shared_ptr<const Delta>;

  // The node outlives it.
  explicit ExportDeltas(Node& node);

  // Somebody who was given `state` may ask for what changed since.
  void offer(const ExportedState& state) { known(state); }
  // What leads from `place`, as somebody sees it who sees `now`, to `now`, which is offered.
  Result<DeltaPtr> since(const std::string& place, const ExportedState& now);
  // The same of any two states; nothing is kept of them.
  Result<DeltaPtr> between(const ExportedState& from, const ExportedState& to) const;

 private:
  using MapPtr = std::shared_ptr<const codecs::ExportedMap>;
  // `map` is null until somebody asks for a delta from or to the state.
  struct Known {
    ExportedState exported;
    MapPtr map;
    std::uint64_t bytes = 0;
  };
  using KnownPtr = std::shared_ptr<const Known>;
  using States = Cache<std::string, Known>;

  // What is seen through views cannot be made again, so nothing else takes its place.
  States& states_of(std::uint64_t view) { return view == kWholeMap ? whole_ : seen_; }
  KnownPtr known(const ExportedState& state);
  Result<KnownPtr> made_again(const std::string& place, const ExportedState& now);
  Result<engine::StatePtr> state_at(const std::string& head, Lsn newest) const;
  Result<KnownPtr> with_map(const KnownPtr& known, const MapPtr& near) const;
  void store(const KnownPtr& known);
  Result<DeltaPtr> written(const Known& from, const Known& to) const;

  Result<MapPtr> exported(const ExportedState& state, const MapPtr& near) const;

  static constexpr unsigned kHelpersMax = 2;

  Node& node_;
  mutable HelperThreads helpers_{kHelpersMax};
  States whole_;
  States seen_;  // through any view
  Cache<std::string, Delta> deltas_;
};

}  // namespace netml::admin
