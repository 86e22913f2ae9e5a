// The map as it is sent, stored compressed for as long as somebody may ask for it again. Equal data
// give the same answer, whatever else changed since: it tells the LSN and time at which they were
// first asked for.
//
// Thread: any.
#pragma once

#include <boost/json/object.hpp>
#include <string>

#include "admin/base/cache.hpp"
#include "engine/transaction/difference.hpp"
#include "engine/transaction/state.hpp"

namespace netml::admin::web {

// All that the map draws, as columns of JSON (docs/api.md): a hundred thousand nodes are parsed by
// a browser several times faster than as many objects. Records are named by their place in the
// columns.
std::string map_columns(const engine::State& state);

// What differs on the map between two versions: nodes and links by their numbers, what is new or
// changed by those of `after`, what is gone by those of `before`, with its place so that it can
// still be drawn. A changed date of the version alone is no change.
boost::json::object map_difference(const engine::Graph& before, const engine::Graph& after);

// The same of a change that is not done yet, for a map that shows `before`: "lsn" of that, "nodes"
// and "links" by the numbers that they have there, `coming`: columns of what is added, `moved`:
// places afterwards of nodes that get others. At most `most` nodes and as many links; "left_out":
// how many more would differ. `difference` is between the two.
boost::json::object planned_map(const engine::State& before, const engine::Graph& after,
                                const engine::Difference& difference, std::size_t most);

struct MapAnswer {
  std::string compressed;  // gzip
  std::uint64_t text_bytes = 0;
};

class MapAnswers {
 public:
  using Answer = std::shared_ptr<const MapAnswer>;

  // `counted` as of CacheBounds.
  explicit MapAnswers(MemoryBudget& memory, CacheCounts* counted = nullptr);

  // The tag alone costs nothing.
  static std::string etag_of(const engine::State& state);
  // Errc::unavailable while too many are being made, too many wait for one, or the memory for it is
  // taken.
  Result<Answer> of(const engine::State& state);

 private:
  MemoryBudget& memory_;
  Cache<std::string, MapAnswer> answers_;  // by their tags
};

}  // namespace netml::admin::web
