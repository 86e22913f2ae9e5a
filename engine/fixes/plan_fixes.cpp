#include "engine/fixes/plan_fixes.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "engine/graph/record_sets.hpp"
#include "engine/graph/topology_tree.hpp"
#include "engine/transaction/workspace.hpp"

namespace netml::engine {

namespace {

Status check_wanted(const WantedFixes& wanted) {
  if (has_fixes(wanted.check)) return {};
  std::string names;
  for (const CheckDescription& each : kChecks)
    if (has_fixes(each.check)) names += (names.empty() ? "" : ", ") + std::string(each.name);
  return fail(Errc::invalid_input, "check",
              fmt::format("nothing can be proposed for {}; only for {}",
                          description(wanted.check).name, names));
}

// Of the map those findings that are wanted; all of them are known to `proposals`.
std::vector<Finding> wanted_findings(const Inspection& map, const WantedFixes& wanted,
                                     Proposals& proposals) {
  std::optional<TopologyTree> tree;
  if (wanted.topology) tree.emplace(map.graph, wanted.topology);
  std::vector<Finding> findings;
  inspect(map, [&](const Finding& finding) {
    if (finding.check != wanted.check) return;
    proposals.take(finding);
    if (wanted.record && finding.record != wanted.record) return;
    if (tree && !tree->holds(finding.record)) return;
    findings.push_back(finding);
  });
  return findings;
}

// A record has one finding of a check, and a group of duplicates one merge: so each is edited once.
class Mending {
 public:
  explicit Mending(const State& state) : state_(state), workspace_(state) {}

  Status apply(RecordId record, const Proposal& proposal) {
    if (proposal.merge) {
      if (merged_.insert(proposal.merge->kept).second) apply_merge(workspace_, *proposal.merge);
      return {};
    }
    NETML_TRY(Record edited, edited_record(state_.graph, record, proposal.edit));
    workspace_.put(record, std::move(edited));
    return {};
  }
  Transaction finish() { return workspace_.finish(); }

 private:
  const State& state_;
  Workspace workspace_;
  RecordSet merged_;
};

}  // namespace

Result<FixPlan> plan_fixes(const State& state, const Countries& countries, Instant now,
                           const WantedFixes& wanted) {
  NETML_TRY_VOID(check_wanted(wanted));
  const Inspection map{state.graph, countries, now};
  Proposals proposals(map);
  const std::vector<Finding> findings = wanted_findings(map, wanted, proposals);
  if (findings.size() > kFixesMax)
    return fail(Errc::invalid_input, "topology",
                fmt::format("{} findings are more than {} at once: name one with fewer",
                            findings.size(), kFixesMax));
  FixPlan plan;
  Mending mending(state);
  for (const Finding& finding : findings) {
    Proposal proposal = proposals.propose(finding);
    if (proposal.kind != FixKind::none) {
      const Status applied = mending.apply(finding.record, proposal);
      if (applied) {
        plan.mended.push_back({finding.record, std::move(proposal.text)});
        continue;
      }
      proposal.text = applied.error().message;
    }
    plan.left.push_back({finding.record, std::move(proposal.text)});
  }
  plan.transaction = mending.finish();
  return plan;
}

}  // namespace netml::engine
