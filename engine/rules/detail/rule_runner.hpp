// Runs rules on a workspace, one after the other (docs/requirements/collation-rules.md, sections 2
// to 4). Thread: its owner.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/graph/record_sets.hpp"
#include "engine/rules/detail/half_link_joiner.hpp"
#include "engine/rules/run_rules.hpp"
#include "engine/transaction/workspace.hpp"

namespace netml::engine {

// Records that fulfil all criteria of a ready rule, in no particular order. A criterion is
// answered from an index if it comes first, and by looking at what is left if not.
std::vector<RecordId> matching_records(Workspace& workspace, const Rule& rule);
// Keeps those that belong to a topology of this identifier.
void narrow_to_members(Workspace& workspace, std::vector<RecordId>& records,
                       std::string_view topology_id);

class RuleRunner {
 public:
  // `workspace` must outlive the runner.
  explicit RuleRunner(Workspace& workspace) : workspace_(workspace) {}

  // A rule that is not ready changes nothing; its log has the problem.
  RuleLog run(std::uint64_t number, const Rule& rule);

 private:
  // The record that the next action goes on with; none = stop.
  using Next = std::optional<RecordId>;

  Next perform(const Action& action, RecordId record);
  Next remove(const Action& action, RecordId record);
  Next remove_property(const Action& action, RecordId record, std::string_view name,
                       std::optional<std::string_view> value);
  Next substitute(const Action& action, const ActionType& type, RecordId record);
  Next keep_newest(const Action& action, RecordId record);
  Next join_half_links(const Action& action, RecordId node);
  void delete_outdated_links(const Action& action);

  struct Target {
    RecordId record;
    std::string refusal;  // why there is none
  };
  Target find_target(const Action& action, RecordId source);
  // `from` gives way to `to`: what referred to it refers to `to`.
  std::string give_way(RecordId from, RecordId to);
  enum class Owners : std::uint8_t { kept, merged };
  void unite(RecordId target, RecordId source, Owners owners);
  void warn_of_topologies_owned(RecordId institution);
  void warn_of_parallel_links();

  Workspace::Age age(RecordId record) const;
  std::string describe(RecordId record) const { return workspace_.describe(record); }
  void note(ReferencesByKind& list, RecordId record);
  void warn(std::string warning);
  void note_action(const Action& action, std::string element, std::string message,
                   bool succeeded = true);

  Workspace& workspace_;
  RuleLog log_;
  // The age of records whose topologies a rule changed: a record stays as new as it was.
  RecordMap<Workspace::Age> ages_;
  RecordSet affected_;
  RecordSet cascaded_;
  std::set<RecordId> merged_nodes_;       // others gave way to them
  std::optional<HalfLinkJoiner> joiner_;  // of a rule with that action
  std::uint64_t warning_count_ = 0;
};

}  // namespace netml::engine
