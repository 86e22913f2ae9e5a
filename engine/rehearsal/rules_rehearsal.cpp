// To carry a transaction over is to undo its opposite: the merge of an undo (plan_undo.hpp) already
// changes just what a transaction changed, keeps all else, and leaves a graph that is whole.
#include "engine/rehearsal/rules_rehearsal.hpp"

#include <algorithm>
#include <utility>

#include "engine/rehearsal/detail/counterparts.hpp"
#include "engine/rules/run_rules.hpp"
#include "engine/transaction/workspace.hpp"
#include "engine/undo/plan_undo.hpp"

namespace netml::engine {

namespace {

bool same_parts(const std::vector<RulePart>& a, const std::vector<RulePart>& b) {
  return std::ranges::equal(a, b, [](const RulePart& one, const RulePart& other) {
    return one.type == other.type &&
           std::ranges::equal(one.infos, other.infos, [](const RuleInfo& x, const RuleInfo& y) {
             return x.key == y.key && x.value == y.value;
           });
  });
}

// Whether they do the same, whatever they are called and numbered.
bool same_rules(const Catalog& a, const Catalog& b) {
  return std::ranges::equal(rules_in_order(a), rules_in_order(b),
                            [](const NumberedRule& one, const NumberedRule& other) {
                              return same_parts(one.rule->criteria, other.rule->criteria) &&
                                     same_parts(one.rule->actions, other.rule->actions);
                            });
}

// With numbers and identities.
bool same_graph(const Graph& a, const Graph& b) {
  return a.digest() == b.digest() && a.next_id() == b.next_id() &&
         a.next_number() == b.next_number();
}

// A transaction of the history on its way into the graph of a rehearsal.
class CarriedOver {
 public:
  // `room` has as many identities more than the rehearsal as the transaction creates records.
  CarriedOver(const RulesRehearsal::Happened& happened, const State& room, RecordId first_new,
              RecordId first_own)
      : happened_(happened),
        room_(room),
        next_(first_new),
        counterparts_(happened.before.graph, room.graph, first_own) {}

  UndoPlan plan() {
    place_created();
    Transaction opposite;
    for (const RecordChange& change : happened_.transaction.records)
      if (auto reversed = reverse(change)) opposite.records.push_back(*std::move(reversed));
    std::ranges::stable_sort(opposite.records, {}, &RecordChange::id);
    const auto rest = std::ranges::unique(opposite.records, {}, &RecordChange::id);
    opposite.records.erase(rest.begin(), rest.end());
    // No graph: an identifier that something here has already is taken.
    UndoPlan plan = plan_undo(room_, opposite, Graph(), UndoForce::overwrite);
    // Numbers are given below, as the history gave them.
    plan.transaction.numberings.clear();
    plan.transaction.next_number = room_.graph.next_number();
    left_out_ += plan.conflict_count - plan.forced_count;
    return plan;
  }

  // What the history numbered, in its order. `now` has what plan() came to.
  Transaction numbers(const State& now) {
    Workspace workspace(now);
    const Transaction& transaction = happened_.transaction;
    const auto number_late = [&](const Numbering& numbering) {
      return !transaction.renumberings.empty() &&
             numbering.number > transaction.renumberings.front().first;
    };
    RecordSet numbered;
    for (const Numbering& numbering : transaction.numberings) {
      const RecordId id = counterparts_.of(numbering.id);
      if (!workspace.contains(id)) continue;
      numbered.insert(id);
      if (number_late(numbering))
        workspace.number_at_the_end(id);
      else
        workspace.number(id);
    }
    for (const Renumbering& renumbering : transaction.renumberings)
      if (const RecordId id = counterparts_.of(renumbering.topology); workspace.contains(id))
        workspace.renumber(id);
    for (const RecordId id : created_)
      if (workspace.contains(id) && !numbered.contains(id)) workspace.number_at_the_end(id);
    return workspace.finish();
  }

  std::uint64_t left_out() const { return left_out_; }

 private:
  // A record that the history creates gets an identity of its own, unless there is such an element
  // here already where the history had none: then it becomes that one.
  void place_created() {
    for (const RecordChange& change : happened_.transaction.records) {
      if (change.before) continue;
      const std::vector<RecordId> here = room_.graph.find(change.after.kind(), change.after.id());
      const bool is_here =
          !here.empty() &&
          happened_.before.graph.find(change.after.kind(), change.after.id()).empty();
      const RecordId id = is_here ? here.front() : next_;
      if (!is_here) {
        created_.push_back(id);
        ++next_.value;
      }
      counterparts_.set(change.id, id);
    }
  }

  std::optional<RecordChange> reverse(const RecordChange& change) {
    const RecordId id = counterparts_.of(change.id);
    if (id == kNowhere) {
      if (change.after) ++left_out_;  // it cannot change; that it is gone is just as well
      return std::nullopt;
    }
    RecordChange reversed{id, counterparts_.translated(change.after),
                          counterparts_.translated(change.before)};
    if (!change.before) reversed.after = room_.graph.record(id);
    if (change.before && change.after && change.after.kind() == Kind::topology)
      set_origins(reversed, change);
    return reversed;
  }

  // The topology that an origin names may be gone, so that its counterpart is not known: what
  // counts is whether the transaction set another one.
  void set_origins(RecordChange& reversed, const RecordChange& change) {
    const RecordId now = room_.graph.relations(reversed.id).origin();
    const bool is_set = change.before.relations->origin() != change.after.relations->origin();
    reversed.after = with_origin(reversed.after, now);
    if (!is_set) reversed.before = with_origin(reversed.before, now);
  }
  static Record with_origin(const Record& record, RecordId origin) {
    RelationFields fields = record.relations->fields();
    fields.origin = origin;
    return {record.attributes, Relations::make(fields)};
  }

  const RulesRehearsal::Happened& happened_;
  const State& room_;
  RecordId next_;
  Counterparts counterparts_;
  std::vector<RecordId> created_;
  std::uint64_t left_out_ = 0;
};

// The state with identities for so many more records.
Result<State> with_room(const State& state, std::uint64_t records) {
  Transaction more = empty_transaction(state);
  if (records > 0xffffffffULL - more.next_id.value)
    return fail(Errc::too_large, "the rehearsal has given all 4,294,967,295 identities");
  more.next_id.value += static_cast<std::uint32_t>(records);
  return apply(state, more, state.lsn.next());
}

}  // namespace

RulesRehearsal::RulesRehearsal(const State& start, const Catalog& rules)
    : graph_(start.graph),
      rulesets_(rules.rulesets),
      rules_(rules.rules),
      first_own_(start.graph.next_id()),
      in_force_(same_rules(start.catalog, rules)) {}

Result<RulesRehearsal> RulesRehearsal::begin(const State& start, const Catalog& rules) {
  RulesRehearsal rehearsal(start, rules);
  if (!rehearsal.in_force_) NETML_TRY_VOID(rehearsal.run_rules(rehearsal.base(start)));
  return rehearsal;
}

// Its digest is not that of its catalog, and nobody asks for it.
State RulesRehearsal::base(const State& before) const {
  State state = before;
  state.graph = graph_;
  state.catalog.rulesets = rulesets_;
  state.catalog.rules = rules_;
  return state;
}

std::optional<RecordId> RulesRehearsal::counterpart(const Graph& history, RecordId id) const {
  const RecordId found = Counterparts(history, graph_, first_own_).of(id);
  return found == kNowhere ? std::nullopt : std::optional(found);
}

void RulesRehearsal::begin_step(const Happened& happened) {
  touched_.clear();
  note(happened.transaction, {});
}

// All but what is noted already, as a rehearsal mostly changes what the history changed.
void RulesRehearsal::note(const Transaction& transaction, std::span<const RecordChange> noted) {
  const auto add = [&](const Record& record) {
    touched_.push_back({record.kind(), std::string(record.id())});
  };
  const auto same_name = [](const Record& a, const Record& b) {
    return a && b && a.kind() == b.kind() && a.id() == b.id();
  };
  for (const RecordChange& change : transaction.records) {
    const Record& shown = change.after ? change.after : change.before;
    if (change.before && !same_name(change.before, shown)) add(change.before);
    const auto earlier = std::ranges::lower_bound(noted, change.id, {}, &RecordChange::id);
    const bool is_noted =
        earlier != noted.end() && earlier->id == change.id && same_name(earlier->after, shown);
    if (!is_noted) add(shown);
  }
}

Difference RulesRehearsal::difference_after_step(const Graph& history) const {
  const bool same = history.content_digest() == graph_.content_digest();
  return {history, graph_, same ? std::vector<ElementName>() : touched_};
}

Status RulesRehearsal::apply_here(const State& base, const Transaction& transaction,
                                  std::span<const RecordChange> noted) {
  note(transaction, noted);
  NETML_TRY(State next, apply(base, transaction, base.lsn.next()));
  graph_ = std::move(next.graph);
  return {};
}

Status RulesRehearsal::run_rules(const State& now) {
  return apply_here(now, plan_rules_run(now).transaction);
}

Status RulesRehearsal::import(const Happened& happened, const Transaction& planned) {
  begin_step(happened);
  NETML_TRY_VOID(apply_here(base(happened.before), planned, happened.transaction.records));
  if (same_graph(graph_, happened.after.graph)) graph_ = happened.after.graph;  // one takes less
  return {};
}

void RulesRehearsal::refuse(const Happened& happened) {
  begin_step(happened);
}

Status RulesRehearsal::carry_over(const Happened& happened) {
  begin_step(happened);
  const Transaction& transaction = happened.transaction;
  const bool changes_rules = !transaction.rulesets.empty() || !transaction.rules.empty();
  const bool were_in_force = in_force_;
  if (changes_rules) in_force_ = same_rules(happened.after.catalog, base(happened.after).catalog);
  if (were_in_force && in_force_ && same_graph(graph_, happened.before.graph)) {
    graph_ = happened.after.graph;
    return {};
  }
  if (transaction.records.empty() && transaction.numberings.empty() &&
      transaction.renumberings.empty())
    return {};
  // What rules made that somebody changed or applied is theirs alone; these run in their place.
  if (transaction.provenance.cause != Cause::rule) NETML_TRY_VOID(carry_records(happened));
  // None ran after an undo, which leaves what was.
  if (transaction.provenance.cause == Cause::undo || transaction.records.empty()) return {};
  return run_rules(base(happened.after));
}

Status RulesRehearsal::carry_records(const Happened& happened) {
  const auto created = std::ranges::count_if(happened.transaction.records,
                                             [](const RecordChange& each) { return !each.before; });
  NETML_TRY(const State room,
            with_room(base(happened.before), static_cast<std::uint64_t>(created)));
  CarriedOver carried(happened, room, graph_.next_id(), first_own_);
  NETML_TRY_VOID(apply_here(room, carried.plan().transaction));
  left_out_ += carried.left_out();
  const State placed = base(happened.before);
  return apply_here(placed, carried.numbers(placed));
}

}  // namespace netml::engine
