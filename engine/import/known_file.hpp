// What planning has found out about a file, so that the same file can be planned again without
// reading it. docs/decisions/011-known-files.md tells why that gives the same plan.
//
// An import leaves the records that its file describes, so the same file changes nothing when it
// comes again, but for the record numbers (docs/requirements/importing.md, section 8). What can
// differ is said by its topologies, which are few: they are matched again. What its elements came
// to is remembered, as long as no record changes.
//
// Thread: any (immutable; pure functions).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/import/plan_import.hpp"

namespace netml::engine {

struct KnownFile {
  Document outline;            // its topologies and remarks, without elements
  std::uint64_t elements = 0;  // how many there are
  ImportLog of_elements;       // what resolving them said and counted
  std::vector<RecordId> met;   // topologies of other files that list elements of this one, too
  // How many of each kind the default rules unite.
  std::array<std::uint64_t, kKindCount> merged{};

  // Records of the file, as progress counts them.
  std::uint64_t records() const { return outline.topologies.size() + elements; }
  std::size_t bytes() const;  // about what it takes
};
// One that would take more is not remembered.
inline constexpr std::size_t kKnownFileBytesMax = 4 << 20;

// What plan_import() gives for the file on `state`, whose records must all be as the plan left them
// that `file` is of; numbers and the catalog may have changed. The logs of rules lack the records.
// Nothing where the file must be read to know, or that plan would be refused.
std::optional<ImportPlan> plan_known_file(const State& state, const KnownFile& file,
                                          const ImportOptions& options);

// The topologies of the file, ascending: stored ones, and those that the plan makes.
std::vector<RecordId> topologies_of(const State& state, const ImportPlan& plan);
// Whether it changes records of these alone. What is known of a file stays true beside such an
// import that shares no topology with it.
bool changes_only(const ImportPlan& plan, const std::vector<RecordId>& topologies);

}  // namespace netml::engine
