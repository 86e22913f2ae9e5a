// Keys under which functional tests find single properties (docs/requirements/http-api.md,
// section 12). The graph gives properties no identity of their own, so this keeps one for each that
// was shown: a key stays with its property for as long as that is there, also when it is changed
// under that key or its record is imported again, and is never given to another. One that is
// changed in any other way counts as a new property; so does every property after a restart.
//
// Keys begin at the microseconds of the start, so that a restart gives none that an earlier run
// gave unless the clock was set back, and they stay exact in JSON (below 2^52) until 2112.
//
// Kept in memory, for what was shown and is still there. Owner: the endpoints.
// Thread: any that has hold() of it.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/edit/plan_records.hpp"
#include "engine/graph/graph.hpp"

namespace netml::admin::functional {

class PropertyKeys {
 public:
  struct Place {
    RecordId record;
    std::size_t index = 0;  // among the record's properties
  };

  explicit PropertyKeys(WallTime start) : next_(static_cast<std::uint64_t>(start.microseconds)) {}

  // To be held from before the version is taken that the others are asked about: versions must
  // come in their order. While it is held a change of properties may be committed.
  [[nodiscard]] std::unique_lock<std::mutex> hold() { return std::unique_lock(mutex_); }

  // In the order of the record's properties.
  std::vector<std::uint64_t> of(const engine::Graph& graph, RecordId record);
  // Nothing when there is no such property (any more).
  std::optional<Place> find(const engine::Graph& graph, std::uint64_t key);

  // What became of the property of a key that find() knew; before the next version is looked at.
  void changed(std::uint64_t key, const engine::TextProperty& now);
  void removed(std::uint64_t key);

 private:
  using Text = std::pair<std::string, std::string>;  // name and value
  using Keys = std::multimap<Text, std::uint64_t>;   // equal ones in their order

  std::mutex mutex_;
  std::uint64_t next_;
  std::unordered_map<std::uint32_t, Keys> keys_;         // by record
  std::unordered_map<std::uint64_t, RecordId> records_;  // by key
};

}  // namespace netml::admin::functional
