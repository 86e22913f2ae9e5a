// One rule at work. For each matched record its actions run one after the other, each on the record
// that the one before left; a deletion ends them. An action that cannot be done aborts those of
// this record alone, and has changed nothing. Whatever referred to a record that gives way
// refers to the other afterwards, and a link whose ends became one node goes: so the graph is whole
// after each action.
#include "engine/rules/detail/rule_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/graph/record_sets.hpp"
#include "engine/rules/copies.hpp"
#include "engine/rules/detail/rule_attributes.hpp"

namespace netml::engine {

namespace {

void insert_sorted(std::vector<RecordId>& ids, std::span<const RecordId> more) {
  ids.insert(ids.end(), more.begin(), more.end());
  sort_each_once(ids);
}

bool have_same_ends(const Relations& a, const Relations& b) {
  std::array<RecordId, 2> ends_a{a.ends()[0], a.ends()[1]};
  std::array<RecordId, 2> ends_b{b.ends()[0], b.ends()[1]};
  std::ranges::sort(ends_a);
  std::ranges::sort(ends_b);
  return ends_a == ends_b;
}

const Action* action_of(const Rule& rule, ActionKind kind) {
  const auto found = std::ranges::find_if(
      rule.actions, [&](const Action& each) { return find_action_type(each.type)->kind == kind; });
  return found == rule.actions.end() ? nullptr : &*found;
}

}  // namespace

RuleLog RuleRunner::run(std::uint64_t number, const Rule& rule) {
  log_ = RuleLog{};
  log_.rule = number;
  log_.name = rule.name;
  affected_.clear();
  cascaded_.clear();
  merged_nodes_.clear();
  joiner_.reset();
  warning_count_ = 0;
  if (auto problem = rule_problem(rule)) {
    log_.problem = std::move(*problem);
    return std::move(log_);
  }
  log_.element = rule_element(rule);
  std::vector<RecordId> matched = matching_records(workspace_, rule);
  // The oldest first: the result must not depend on how the records were found.
  std::ranges::sort(matched, {}, [&](RecordId record) { return age(record); });
  for (const RecordId record : matched)
    log_.matched.push_back({record, workspace_.base().graph.number(record)});
  const Action* const joining = action_of(rule, ActionKind::join_half_links);
  if (joining != nullptr) joiner_.emplace(workspace_);
  for (const RecordId record : matched) {
    Next next = record;
    for (const Action& action : rule.actions) {
      // An earlier record of the set may have taken this one with it. The next action goes on with
      // what the record became.
      if (!next || !workspace_.contains(*next)) break;
      next = perform(action, *next);
    }
  }
  if (joining != nullptr) delete_outdated_links(*joining);
  warn_of_parallel_links();
  if (warning_count_ > kRuleWarningsMax)
    log_.warnings.push_back(fmt::format("{} more warnings", warning_count_ - kRuleWarningsMax));
  return std::move(log_);
}

// A node that took the place of another may have links beside one another now: no mistake of the
// rule, but worth a look.
void RuleRunner::warn_of_parallel_links() {
  for (const RecordId node : merged_nodes_) {
    if (!workspace_.contains(node)) continue;
    // After all actions, as a link may have gone again meanwhile.
    const std::vector<RecordId> links = workspace_.referrers(node);
    const auto neighbour = [&](RecordId link) {
      const RelationsPtr relations = workspace_.record(link).relations;
      return relations->ends()[relations->ends()[0] == node ? 1 : 0];
    };
    RecordMap<std::size_t> counts;
    for (const RecordId link : links) ++counts[neighbour(link)];
    const auto parallel = std::ranges::count_if(links, [&](RecordId link) {
      return cascaded_.contains(link) && counts[neighbour(link)] > 1;
    });
    if (parallel > 0)
      warn(fmt::format("{}: {} of the links that end there now run beside others", describe(node),
                       parallel));
  }
}

RuleRunner::Next RuleRunner::perform(const Action& action, RecordId record) {
  const ActionType& type = *find_action_type(action.type);
  switch (type.kind) {
    case ActionKind::remove:
      return remove(action, record);
    case ActionKind::remove_property:
      return remove_property(action, record, *action.value("name"), action.value("value"));
    case ActionKind::remove_tag:
      return remove_property(action, record, "tag", action.value("value"));
    case ActionKind::replace:
    case ActionKind::merge:
      return substitute(action, type, record);
    case ActionKind::join_half_links:
      return join_half_links(action, record);
    case ActionKind::keep_newest:
      break;
  }
  return keep_newest(action, record);
}

RuleRunner::Next RuleRunner::remove(const Action& action, RecordId record) {
  std::string element = describe(record);
  note(log_.affected, record);
  if (log_.element == Kind::institution) warn_of_topologies_owned(record);
  if (log_.element != Kind::link)  // nothing refers to one
    for (const RecordId referrer : workspace_.referrers(record)) note(log_.cascaded, referrer);
  workspace_.remove_element(record);
  // The text was made above, while the record was there.
  note_action(action, std::move(element), "deleted");
  return std::nullopt;
}

void RuleRunner::warn_of_topologies_owned(RecordId institution) {
  for (const RecordId owned : workspace_.referrers(institution))
    if (workspace_.record(owned).kind() == Kind::topology)
      warn(fmt::format("{} has no owner any more; it cannot be exported", describe(owned)));
}

RuleRunner::Next RuleRunner::remove_property(const Action& action, RecordId record,
                                             std::string_view name,
                                             std::optional<std::string_view> value) {
  const Record before = workspace_.record(record);
  AttributesPtr after = without_property(*before.attributes, name, value);
  if (after == nullptr) {
    note_action(action, describe(record), "has no such property");
    return record;
  }
  const std::size_t removed = before.attributes->property_count() - after->property_count();
  workspace_.put(record, {std::move(after), before.relations});
  note(log_.affected, record);
  note_action(action, describe(record),
              fmt::format("{} {} deleted", removed, removed == 1 ? "property" : "properties"));
  return record;
}

RuleRunner::Target RuleRunner::find_target(const Action& action, RecordId source) {
  const Record from = workspace_.record(source);
  const char* kind = kind_name(from.kind());
  std::vector<RecordId> found = workspace_.find(from.kind(), *action.value("ID"));
  if (const auto topology_id = action.value("Topology ID"))
    narrow_to_members(workspace_, found, *topology_id);
  if (found.empty()) return {{}, fmt::format("Could not find the substitute {}.", kind)};
  // To choose one would make the result depend on chance.
  if (found.size() > 1)
    return {{}, fmt::format("Found too many substitute {}s: {}.", kind, found.size())};
  const RecordId target = found.front();
  // Before the ends are compared, which would be equal.
  if (target == source) return {{}, fmt::format("The {} is both source and target.", kind)};
  // A link stands for a connection of two places; in the place of another it would claim one that
  // is not there.
  if (from.kind() == Kind::link &&
      !have_same_ends(*from.relations, *workspace_.record(target).relations))
    return {{},
            fmt::format("{} and {} have different endpoints.", describe(source), describe(target))};
  return {target, {}};
}

// The actions replace and merge: the target that the action names takes the record's place.
RuleRunner::Next RuleRunner::substitute(const Action& action, const ActionType& type,
                                        RecordId record) {
  std::string element = describe(record);
  // All that can be wrong is asked before anything is changed, so that an action is done or not.
  Target target = find_target(action, record);
  if (!target.record) {
    note_action(action, std::move(element), std::move(target.refusal), false);
    return std::nullopt;
  }
  // To merge is to replace, after the target was given what it lacks.
  const bool merging = type.kind == ActionKind::merge;
  if (type.element == Kind::node) merged_nodes_.insert(target.record);
  if (merging) {
    const Record kept = workspace_.record(target.record);
    AttributesPtr filled = merged(*kept.attributes, *workspace_.record(record).attributes);
    if (filled != nullptr) workspace_.put(target.record, {std::move(filled), kept.relations});
  }
  // Memberships before references: `give_way` removes the record whose memberships are read here.
  unite(target.record, record, merging ? Owners::merged : Owners::kept);
  std::string message =
      fmt::format("{} {}", merging ? "merged into" : "replaced with", describe(target.record));
  message += give_way(record, target.record);
  note_action(action, std::move(element), std::move(message));
  return target.record;
}

// All records of the identifier become one at once: the newest original, else the newest copy.
// A copy that gives way to an original brings neither topologies nor owners, because it says that
// the element does not belong where the copy stands.
RuleRunner::Next RuleRunner::keep_newest(const Action& action, RecordId record) {
  struct Contender {
    Standing standing;
    Workspace::Age age;
    auto operator<=>(const Contender&) const = default;
  };
  const Record value = workspace_.record(record);
  std::vector<Contender> contenders;
  Namesakes namesakes(workspace_, value.kind(), value.id());
  for (const RecordId other : namesakes.records())
    contenders.push_back({namesakes.standing_of(other), age(other)});
  // The order of the members is the order of the comparison: standing before age.
  const Contender winner = *std::ranges::max_element(contenders);
  if (value.kind() == Kind::node && contenders.size() > 1) merged_nodes_.insert(winner.age.id);
  for (const Contender& loser : contenders) {
    if (loser == winner) continue;
    std::string element = describe(loser.age.id);
    // Only one of equal standing passes on its topologies and owners; a mere copy does not.
    if (loser.standing == winner.standing) unite(winner.age.id, loser.age.id, Owners::merged);
    std::string message = fmt::format("gave way to {}", describe(winner.age.id));
    message += give_way(loser.age.id, winner.age.id);
    note_action(action, std::move(element), std::move(message));
  }
  return winner.age.id;
}

RuleRunner::Next RuleRunner::join_half_links(const Action& action, RecordId node) {
  const std::string element = describe(node);
  for (HalfLinkJoiner::Outcome& outcome : joiner_->join(node)) {
    if (outcome.changed) note(log_.affected, outcome.changed);
    if (!outcome.warning.empty()) warn(std::move(outcome.warning));
    note_action(action, element, std::move(outcome.text), outcome.succeeded);
  }
  return node;
}

// Whichever nodes the rule matched: the node of such a half link may be gone.
void RuleRunner::delete_outdated_links(const Action& action) {
  for (const RecordId link : joiner_->outdated()) {
    std::string element = describe(link);
    note(log_.affected, link);
    workspace_.remove_link(link);
    note_action(action, std::move(element), "deleted: its half links are no pair any more");
  }
}

std::string RuleRunner::give_way(RecordId from, RecordId to) {
  note(log_.affected, from);
  note(log_.affected, to);
  for (const RecordId referrer : workspace_.referrers(from)) note(log_.cascaded, referrer);
  std::string removed;
  for (const RecordId link : workspace_.forward(from, to))
    removed += fmt::format("; link [{}] deleted, as both ends became one node",
                           workspace_.base().graph.number(link).value);
  return removed;
}

void RuleRunner::unite(RecordId target, RecordId source, Owners owners) {
  // As it was before: that it took in another must not make it newer than the next.
  ages_.try_emplace(target, workspace_.age(target));
  const Record kept = workspace_.record(target);
  const Record lost = workspace_.record(source);
  RelationFields fields = kept.relations->fields();
  std::vector<RecordId> topologies(fields.topologies.begin(), fields.topologies.end());
  insert_sorted(topologies, lost.relations->topologies());
  std::vector<RecordId> all_owners(fields.owners.begin(), fields.owners.end());
  if (owners == Owners::merged) insert_sorted(all_owners, lost.relations->owners());
  fields.topologies = topologies;
  fields.owners = all_owners;
  workspace_.put_relations(target, fields);
}

Workspace::Age RuleRunner::age(RecordId record) const {
  const auto known = ages_.find(record);
  return known == ages_.end() ? workspace_.age(record) : known->second;
}

void RuleRunner::note(ReferencesByKind& list, RecordId record) {
  RecordSet& known = &list == &log_.affected ? affected_ : cascaded_;
  // Each record once, however many actions touched it.
  if (!known.insert(record).second) return;
  const std::size_t kind = static_cast<std::size_t>(workspace_.record(record).kind());
  list[kind].push_back({record, workspace_.base().graph.number(record)});
}

void RuleRunner::warn(std::string warning) {
  if (++warning_count_ <= kRuleWarningsMax) log_.warnings.push_back(std::move(warning));
}

void RuleRunner::note_action(const Action& action, std::string element, std::string message,
                             bool succeeded) {
  ++log_.action_count;
  // Counted beyond that, too, so that the log says how much it leaves out.
  if (log_.actions.size() == kActionLogsMax) return;
  log_.actions.push_back({action.type, std::move(element), std::move(message), succeeded});
}

}  // namespace netml::engine
