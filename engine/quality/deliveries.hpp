// How a source delivers: how old its newest success is against its schedule, and how much its
// newest import changed, and rules changed in it, against the imports before (docs/quality.md,
// section "How a source delivers").
//
// Thread: any (values and pure functions).
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/time.hpp"
#include "engine/catalog/rule_hits.hpp"

namespace netml::engine {

enum class DeliveryCheck : std::uint8_t { overdue, changes_jump, rule_hits_jump };

struct DeliveryCheckDescription {
  DeliveryCheck check;
  const char* name;     // in answers and on the command line
  unsigned points;      // what it takes of the source's score; overdue: for each time that passed
  unsigned points_max;  // all together
  const char* text;
};
inline constexpr auto kDeliveryChecks = std::to_array<DeliveryCheckDescription>({
    {DeliveryCheck::overdue, "source-overdue", 5, 20,
     "its newest success is older than its schedule allows"},
    {DeliveryCheck::changes_jump, "changes-jump", 10, 10,
     "its newest import changed far more than those before"},
    {DeliveryCheck::rule_hits_jump, "rule-hits-jump", 5, 5,
     "rules changed far more in its newest import than in those before"},
});

// The newest import of a source is compared with so many before it, at most and at least.
inline constexpr std::size_t kEarlierImportsMax = 20;
inline constexpr std::size_t kEarlierImportsMin = 4;
// Failures are counted in so many of the newest polls.
inline constexpr std::size_t kCountedPolls = 50;

struct DeliveredImport {
  std::uint64_t record = 0;  // its import record
  Instant time;
  std::uint64_t created = 0;  // records of the map, by the import with its rules
  std::uint64_t updated = 0;
  std::uint64_t deleted = 0;
  std::uint64_t parsed = 0;     // elements of its file
  std::uint64_t rule_hits = 0;  // records that rules changed or deleted, each rule counted

  std::uint64_t changes() const { return created + updated + deleted; }
  // Of the elements of the file, and those that are gone because it has them no more; 0 to 1.
  double share(std::uint64_t count) const;
};

struct FailuresOfKind {
  std::string reason;  // of the poll record (docs/polling.md, section "Records")
  std::uint64_t count = 0;
  bool operator==(const FailuresOfKind&) const = default;
};

struct Deliveries {
  std::optional<std::chrono::seconds> age = {};      // of the newest success; none: it has none
  std::optional<std::chrono::seconds> allowed = {};  // by its schedule; none: nothing is expected
  std::vector<DeliveredImport> imports = {};         // the newest first
  std::vector<RuleHits> rules = {};                  // of the newest import
  std::uint64_t polls = 0;                           // that failures were counted in
  std::vector<FailuresOfKind> failures = {};         // the most frequent first
};

// The newest import beside the median of those before.
struct ComparedShare {
  double newest = 0;
  std::optional<double> usual = {};  // none: there are too few before
  bool jumped = false;
};
// Nothing without an import.
std::optional<ComparedShare> compared_changes(const Deliveries& deliveries);
std::optional<ComparedShare> compared_rule_hits(const Deliveries& deliveries);

struct DeliveryFinding {
  DeliveryCheck check;
  double lost = 0;   // points
  std::string text;  // with the numbers
};
// At most one of each check, in their order.
std::vector<DeliveryFinding> findings_of(const Deliveries& deliveries);

}  // namespace netml::engine
