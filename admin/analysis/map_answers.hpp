// The map as it is sent, stored compressed for as long as somebody may ask for it again. Equal data
// give the same answer, whatever else changed since: it tells the LSN and time at which they were
// first asked for.
//
// Thread: any.
#pragma once

#include <string>

#include "admin/base/cache.hpp"
#include "engine/transaction/state.hpp"

namespace netml::admin::web {

struct MapAnswer {
  std::string compressed;  // gzip
  std::uint64_t text_bytes = 0;
};

class MapAnswers {
 public:
  using Answer = std::shared_ptr<const MapAnswer>;

  explicit MapAnswers(MemoryBudget& memory);

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
