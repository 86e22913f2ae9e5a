// The map as it is sent, stored compressed for as long as somebody may ask for it again. Equal data
// give the same answer, whatever else changed since: it tells the LSN and time at which they were
// first asked for. Those of a view tell neither.
//
// Thread: any.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "admin/answers/gzip.hpp"
#include "admin/base/cache.hpp"
#include "engine/transaction/difference.hpp"
#include "engine/transaction/state.hpp"

namespace netml::admin::web {

// All that the map draws, as columns of JSON (docs/api.md): a hundred thousand nodes are parsed by
// a browser several times faster than as many objects. Records are named by their place in the
// columns.
std::string map_columns(const engine::State& state);

// The same in columns of fixed width, which a browser uses where they lie: of a million elements
// parsing JSON would take it longer than all else. They come in two sections, one after the other
// (docs/api.md): what drawing the map needs, and the identifiers and names of nodes and links,
// which are most of it.
std::vector<GzipText> map_drawing(const engine::State& state);
std::vector<GzipText> map_texts(const engine::State& state);

enum class MapForm : std::uint8_t { json, binary };

// What is made and stored by itself: all of the map in JSON, or a section in binary.
enum class MapPart : std::uint8_t { json, drawing, texts };

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

class MapAnswers {
 public:
  using Answer = std::shared_ptr<const GzipPiece>;

  // `counted` as of CacheBounds.
  explicit MapAnswers(MemoryBudget& memory, CacheCounts* counted = nullptr);

  // Whether it is seen through a view: such a state names no LSN (docs/views.md).
  static bool is_seen(const engine::State& state) { return state.lsn == Lsn{}; }
  // Costs nothing: that of the answer in JSON. A map that is seen through a view has another than
  // the same map seen as it is, as their answers differ in LSN and time.
  static std::string etag_of(const engine::State& state);
  static std::string etag_of(const engine::State& state, MapForm form);
  // Errc::unavailable while too many are being made, too many wait for one, or the memory for it is
  // taken.
  Result<Answer> of(const engine::State& state, MapPart part = MapPart::json);
  // The parts of the answer, one after the other; `first` was made already. The state is let go
  // when all are made.
  GzipPieces pieces(engine::StatePtr state, MapForm form, Answer first);

 private:
  MemoryBudget& memory_;
  Cache<std::string, GzipPiece> answers_;  // by their tags and parts
};

}  // namespace netml::admin::web
