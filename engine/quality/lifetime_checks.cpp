// Dates.
#include "engine/quality/themes.hpp"

namespace netml::engine {

namespace {

constexpr std::int64_t kDay = 24 * 60 * 60;
constexpr std::int64_t kOldSeconds = 2 * 365 * kDay;

}  // namespace

void check_lifetime(const Inspection& map, RecordId id, const Report& report) {
  const Attributes& record = map.graph.attributes(id);
  if (const auto version = record.version()) {
    if (version->seconds > map.now.seconds + kDay)  // clocks and zones differ
      report({Check::version_ahead, id});
    else if (record.kind() == Kind::topology && version->seconds < map.now.seconds - kOldSeconds)
      report({Check::topology_old, id});
  }
  const auto start = record.start();
  const auto end = record.end();
  if (start && end && *end < *start)
    report({Check::lifetime_reversed, id});
  else if (end && *end < map.now)
    report({Check::lifetime_over, id});
}

}  // namespace netml::engine
