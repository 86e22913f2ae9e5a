// The points of the time line: transactions that changed nodes or links, with how many; and how
// large the map was after each.
//
// What a transaction did is read from the journal once and remembered in a few numbers, so only the
// first question is as long as the journal.
//
// Thread: any.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "admin/base/slots.hpp"
#include "admin/node/node.hpp"

namespace netml::admin::web {

struct PointInTime {
  Lsn lsn;
  Instant time;  // when it took effect
  engine::Cause cause = engine::Cause::edit;
  std::uint64_t nodes_added = 0;
  std::uint64_t nodes_removed = 0;
  std::uint64_t links_added = 0;
  std::uint64_t links_removed = 0;
  std::uint64_t changed = 0;  // nodes and links
};

// How many there were of each kind, from then on.
struct MapSize {
  Lsn lsn;
  Instant time;
  std::array<std::uint64_t, kKindCount> counts{};  // by Kind
};

class PointsInTime {
 public:
  explicit PointsInTime(Node& node) : node_(node) {}

  // Those from `first` to `last`, ascending. Of more than `count_max` some are left out evenly; the
  // first and the last stay. Errc::unavailable while too many wait for the first reading.
  Result<std::vector<PointInTime>> list(Lsn first, Lsn last, std::size_t count_max);

  // How the map became as large as it is in `now`, which is a version of the node, ascending. Left
  // out and refused as above.
  Result<std::vector<MapSize>> growth(const engine::State& now, std::size_t count_max);

 private:
  struct Growth {
    Lsn lsn;
    Instant time;
    std::array<std::int64_t, kKindCount> by{};  // by Kind; negative where more went than came
  };
  Status read_on();

  static constexpr std::size_t kAskingMax = 4;  // each holds a worker of the server

  Node& node_;
  Slots asking_{kAskingMax};
  std::mutex mutex_;
  Lsn read_;                         // up to here; guarded by mutex_
  std::vector<PointInTime> points_;  // guarded by mutex_
  std::vector<Growth> growths_;      // guarded by mutex_
};

}  // namespace netml::admin::web
