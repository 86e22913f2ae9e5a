// What rules did in an import, as its log says it: one line for each that matched anything. The log
// is all that an import record keeps of it, so whoever wants the numbers reads the line again.
//
// Thread: any (values and pure functions).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace netml::engine {

struct RuleHits {
  std::string rule;            // its name
  std::uint64_t matched = 0;   // records
  std::uint64_t changed = 0;   // of these and of the rule's targets, deleted ones too
  std::uint64_t cascaded = 0;  // more that changed or went because of those
  bool operator==(const RuleHits&) const = default;
};

// The line, without what the log puts before it.
std::string rule_hits_line(const RuleHits& hits);

// Those that the text of an import log (ImportLog::text()) has lines of, in their order.
std::vector<RuleHits> rule_hits_in(std::string_view log);

}  // namespace netml::engine
