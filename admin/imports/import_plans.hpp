// Imports that were planned and not done: looked at, applied, given up (docs/import-plans.md).
//
// A stored plan is an entry of the catalog, and its file is kept as that of an import. What it
// would change is planned again from the state that it was made on whenever somebody wants to see
// it, so the journal stays the only truth.
//
// Thread: any. A stream is used by one thread at a time and must not outlive the node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "admin/base/page.hpp"
#include "admin/imports/import_job.hpp"
#include "admin/node/node.hpp"
#include "engine/transaction/difference.hpp"
#include "engine/transaction/planned_effects.hpp"
#include "net/http/http.hpp"

namespace netml::admin {

// Why a plan was not applied. Where the data moved since: the elements that would change in another
// way than was planned.
struct PlanRefusal {
  Error error;
  std::vector<engine::ElementName> moved;  // the first kMovedMax
  std::uint64_t moved_count = 0;           // of all
};

// An element to which a plan would do something else now than was planned. None: nothing.
struct PlanDifference {
  engine::ElementName element;
  std::optional<engine::ElementDifference> planned;
  std::optional<engine::ElementDifference> now;
};

// A plan that was planned again.
struct PlannedAgain {
  ImportResult result;                      // its `lsn` is 0 when it was only looked at
  std::vector<PlanDifference> differences;  // the first kMovedMax
  std::uint64_t difference_count = 0;       // of all
};
enum class PlanAgain : std::uint8_t { look, keep };

// Whether a plan is shown with what it would do now, for which its file is planned once more.
enum class PlanNow : std::uint8_t { skip, tell };

class ImportPlans {
 public:
  static constexpr std::size_t kMovedMax = 1'000;

  explicit ImportPlans(Node& node) : node_(node) {}

  // The plan, then a document for each element of the page of those that would change, in an order
  // that stays. What it would do now: "stale", why it cannot be applied any more, or null, and
  // "export" as in /status/ if it would fail from then on.
  Result<std::unique_ptr<net::BodySource>> show(std::uint64_t number, const Page& page,
                                                PlanNow now);

  // What it would change where it was planned.
  Result<PlannedChange> changes(std::uint64_t number);

  // Does exactly what was planned, which uses up the plan; or nothing.
  tl::expected<ImportResult, PlanRefusal> apply(const Caller& caller, std::uint64_t number);

  // Plans the file again, from the state now. `keep`: in the place of the plan, under its number.
  Result<PlannedAgain> again(const Caller& caller, std::uint64_t number, PlanAgain what);

  Status remove(const Caller& caller, std::uint64_t number);

 private:
  struct Planned;
  struct Replanned;
  struct PlannedNow;
  Result<Replanned> replan(const Caller& caller, std::uint64_t number);
  // The same, whether or not it still comes out as it was planned.
  Result<Replanned> replan_anyhow(const Caller& caller, std::uint64_t number);
  // The file on `state`, for which memory is reserved as if it changed as many elements as given.
  Result<Planned> plan_on(const engine::State& state, const ImportJob& job,
                          const FileContent& content, std::uint64_t elements);
  Result<PlannedNow> plan_now(const Replanned& then);

  Node& node_;
};

}  // namespace netml::admin
