#include "tests/histories/history_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/graph/document.hpp"
#include "tests/histories/dice.hpp"
#include "tests/histories/history_past.hpp"
#include "tests/histories/plain_rules.hpp"
#include "tests/histories/plain_undo.hpp"
#include "tests/histories/random_edit.hpp"

namespace netml::test {

namespace {

using admin::ImportPlace;
using admin::ImportPlans;

// Larger than any identity: keys of elements whose identity the node has yet to tell.
constexpr Key kNoIdentityYet = Key{1} << 32;

class Run {
 public:
  Run(std::uint64_t seed, StepCounts& counts) : dice_(seed), node_(seed), counts_(counts) {}

  HistoryOutcome all() {
    past_.remember(node_, Version());
    const int steps = 6 + dice_.below(16);
    for (step_ = 1; step_ <= steps && !problem_; ++step_) step();
    if (!problem_) look_back();
    return {std::move(told_), std::move(problem_)};
  }

 private:
  // The first is an import: without one there is nothing to do anything else with.
  void step() {
    using Step = void (Run::*)();
    static const std::vector<Step> kSteps = {
        &Run::import,       &Run::import,  &Run::import,  &Run::import,    &Run::edit,
        &Run::edit,         &Run::edit,    &Run::edit,    &Run::edit,      &Run::edit,
        &Run::undo,         &Run::undo,    &Run::undo,    &Run::undo,      &Run::undo,
        &Run::undo,         &Run::plan,    &Run::apply,   &Run::apply,     &Run::apply,
        &Run::drop_plan,    &Run::enable,  &Run::retain,  &Run::run_rule,  &Run::replay,
        &Run::look_at_past, &Run::back_up, &Run::restart, &Run::checkpoint};
    node_.clock().advance(std::chrono::minutes(1));
    const Step chosen = step_ == 1 ? &Run::import : dice_.one_of(kSteps);
    (this->*chosen)();
    if (!problem_) remember();
  }

  // ---- what is reported ----
  void note(const std::string& text) {
    told_ += fmt::format("after LSN {}: {}\n", node_.head().value, text);
  }
  void fail(std::optional<std::string> problem) {
    if (!problem_) problem_ = std::move(problem);
  }
  void count(const char* step, bool done) { ++(done ? counts_[step].done : counts_[step].refused); }
  // What must succeed.
  template <class T>
  bool done(const char* step, const T& result) {
    if (result) count(step, true);
    if (!result) fail("refused: " + result.error().message);
    return result.has_value();
  }

  // ---- the map and the node ----
  void become(PlainMap map) {
    for (const std::string& effect : effects(map_, map)) told_ += fmt::format("    {}\n", effect);
    had_duplicates_ = has_duplicates(map_);
    map_ = std::move(map);
  }

  // The node must hold what the map holds, and new elements get their identities from it.
  void remember() {
    const auto found = lines(node_.state()->graph);
    const auto expected = lines(map_);
    if (found != expected) return fail("the node differs\n" + differing(found, expected));
    adopt_identities();
    Version version;
    version.map = map_;
    version.own_rules = own_rules_;
    version.undo = undo_;
    for (const std::string& id : delivered_)
      version.delivered.insert(find(map_, Kind::topology, id));
    past_.remember(node_, std::move(version));
    delivered_.clear();
    undo_ = false;
  }

  // An element that was alone with its identifier keeps its identity. Which of several stays is
  // the node's to choose.
  void adopt_identities() {
    const engine::StatePtr state = node_.state();
    for (const auto& [key, element] : PlainMap(map_)) {
      const RecordId same{static_cast<std::uint32_t>(key)};
      if (key < kNoIdentityYet && state->graph.contains(same) &&
          state->graph.kind(same) == element.kind &&
          state->graph.attributes(same).id() == element.id)
        continue;
      if (key < kNoIdentityYet && !had_duplicates_)
        return fail(fmt::format("{} got another identity", element.id));
      rename(map_, key, state->graph.find_newest(element.kind, element.id).value);
    }
  }

  // ---- imports ----
  void import() {
    const PlainFile file = dice_.file();
    const auto place = dice_.one_of(
        std::vector{ImportPlace::top_level, ImportPlace::below_main, ImportPlace::where_it_is});
    note(fmt::format("import {} {}", place_name(place), file.reported()));
    const admin::ImportOutcome outcome = node_.import(file, place);
    if (!outcome) return fail("refused: " + outcome.error().error.message);
    count("import", true);
    deliver(imported(map_, file, parent(file, place), own_rules_, step_, next_), *outcome, file);
  }
  void deliver(PlainImport import, const admin::ImportResult& result, const PlainFile& file) {
    become(std::move(import.map));
    for (const PlainFile::Topology& topology : file.topologies) delivered_.insert(topology.id);
    imports_[result.record] = {result.lsn, node_.clock().wall()};
  }

  static const char* place_name(ImportPlace place) {
    if (place == ImportPlace::top_level) return "to the top level:";
    return place == ImportPlace::below_main ? "below the main topology:" : "where it is:";
  }
  Key parent(const PlainFile& file, ImportPlace place) const {
    if (place == ImportPlace::top_level) return 0;
    const Key known = find(map_, Kind::topology, file.root().id);
    if (place == ImportPlace::where_it_is && known != 0) return parent_of(map_, known);
    return main();
  }
  Key main() const {
    for (const auto& [key, element] : map_)
      if (element.main) return key;
    return 0;
  }

  // ---- plans ----
  void plan() {
    const PlainFile file = dice_.file();
    note("plan " + file.reported());
    const admin::ImportOutcome outcome = node_.plan(file);
    if (!outcome) return fail("refused: " + outcome.error().error.message);
    count("plan", true);
    plans_[outcome->plan] = planned(file, 0);
  }

  struct Planned {
    PlainFile file;
    Key parent;       // 0: to the top level
    bool below_none;  // there was no main topology to go below
    PlainImport import;
    std::multiset<std::string> effects;
    // Whether merged duplicates keep the identity of one or of the other, the map does not know.
    bool certain = true;
  };
  Planned planned(const PlainFile& file, Key parent) {
    PlainImport import = imported(map_, file, parent, own_rules_, step_, next_);
    auto what = effects(map_, import.map);
    return {file, parent, main() == 0, std::move(import), std::move(what), !has_duplicates(map_)};
  }

  // Exactly what was planned, or nothing; then planned again, and perhaps applied.
  void apply() {
    if (plans_.empty()) return plan();
    auto& [number, kept] = *std::next(plans_.begin(), dice_.below(static_cast<int>(plans_.size())));
    if (kept.parent != 0 && !map_.contains(kept.parent)) return lose_plan(number);
    Planned now = planned(kept.file, kept.parent);
    const bool certain = kept.certain && now.certain;
    const bool fits = now.effects == kept.effects;
    note(fmt::format("apply plan {}", number));
    const auto applied = ImportPlans(*node_).apply(kCaller, number);
    if (certain && applied.has_value() != fits)
      return fail(applied ? "it was applied, but is stale"
                          : "refused: " + applied.error().error.message);
    count("apply", applied.has_value());
    if (applied) {
      deliver(std::move(now.import), *applied, kept.file);
      plans_.erase(number);
      return;
    }
    if (kept.parent == 0 && kept.below_none)
      now = planned(kept.file, parent(kept.file, ImportPlace::where_it_is));
    plan_again(number, std::move(now));
  }

  // What was to go below a topology that is gone.
  void lose_plan(std::uint64_t number) {
    note(fmt::format("apply plan {}, whose parent is gone", number));
    if (ImportPlans(*node_).apply(kCaller, number)) return fail("it was applied");
    if (ImportPlans(*node_).again(kCaller, number, admin::PlanAgain::look))
      return fail("it was planned again");
    count("apply", false);
    delete_plan(number);
  }

  void plan_again(std::uint64_t number, Planned now) {
    note(fmt::format("plan {} again, which is stale", number));
    const auto again = ImportPlans(*node_).again(kCaller, number, admin::PlanAgain::keep);
    if (!done("plan again", again)) return;
    if (again->difference_count == 0) return fail("planned again, and nothing differs");
    plans_[number] = now;
    if (dice_.one_in(2)) return;
    remember();
    note(fmt::format("apply plan {}", number));
    const auto applied = ImportPlans(*node_).apply(kCaller, number);
    if (!applied) return fail("refused again: " + applied.error().error.message);
    deliver(std::move(now.import), *applied, now.file);
    plans_.erase(number);
  }

  void drop_plan() {
    if (plans_.empty()) return plan();
    delete_plan(plans_.begin()->first);
  }
  void delete_plan(std::uint64_t number) {
    note(fmt::format("delete plan {}", number));
    const Status removed = ImportPlans(*node_).remove(kCaller, number);
    if (done("delete a plan", removed)) plans_.erase(number);
  }

  // ---- edits and rules ----
  void edit() {
    std::optional<DrawnEdit> drawn;
    for (int i = 0; i < 8 && !drawn; ++i) drawn = draw_edit(dice_, map_, step_, next_);
    if (!drawn) return;
    note(drawn->reported);
    const Result<Lsn> committed = node_.edit(drawn->plan);
    count(drawn->kind, committed.has_value());
    if (committed.has_value() != drawn->after.has_value())
      return fail(committed ? "it was done" : "refused: " + committed.error().message);
    if (!committed) return;
    run_rules(*drawn->after, own_rules_);
    become(std::move(*drawn->after));
  }

  void run_rule() {
    const auto rule = static_cast<std::size_t>(dice_.below(static_cast<int>(kOwnRules.size())));
    note(fmt::format("rule \"{}\"", kOwnRules[rule]));
    const auto ran = node_.run_own_rule(rule);
    if (!done("run a rule", ran)) return;
    PlainMap after = map_;
    run_own_rule(after, rule);
    become(std::move(after));
  }

  void enable() {
    own_rules_ = !own_rules_;
    note(own_rules_ ? "enable the own rules" : "disable the own rules");
    const auto set = node_.enable_own_rules(own_rules_);
    if (!done("enable or disable rules", set)) return;
    PlainMap after = map_;
    run_rules(after, own_rules_);
    become(std::move(after));
  }

  // ---- undo ----
  void undo() {
    const Lsn lsn = some_lsn();
    const bool force = dice_.one_in(3);
    const Version& before = past_.at(Lsn{lsn.value - 1});
    const Version& after = past_.at(lsn);
    PlainUndo expected = undone(map_, before.map, after.map, force);
    const bool rules_go_back = before.own_rules != after.own_rules && own_rules_ == after.own_rules;
    const std::string what = name_of(lsn);
    note(fmt::format("undo {}{}", what, force ? " by force" : ""));
    const auto undone = node_.undo(what, force);
    if (!undone) return fail("refused: " + undone.error().message);
    if ((undone->conflict_count != 0) != expected.conflicts)
      return fail(conflicts_text(*undone, expected.conflicts));
    const bool blocked = expected.conflicts && expected.map == map_ && !rules_go_back;
    if (undone->blocked() != blocked) return fail("something was undone, or nothing");
    count_undo(after, what, *undone, force);
    for (auto& [key, element] : expected.map)
      if (!map_.contains(key)) element.age = {step_, 0};
    become(std::move(expected.map));
    if (rules_go_back) own_rules_ = before.own_rules;
    undo_ = undone->lsn != Lsn{};
  }

  void count_undo(const Version& undone, const std::string& what, const admin::UndoResult& result,
                  bool force) {
    const bool did = result.lsn != Lsn{};
    if (did || result.blocked()) count("undo", did);
    if (undone.undo) count("undo an undo", did);
    if (what.starts_with("import:")) count("undo an import by its number", did);
    if (result.conflict_count == 0) return;
    count(force ? "undo with conflicts, by force" : "undo with conflicts", did);
  }

  static std::string conflicts_text(const admin::UndoResult& undone, bool expected) {
    std::string text =
        fmt::format("{} conflicts, expected {}", undone.conflict_count, expected ? "some" : "none");
    for (const engine::UndoConflict& conflict : undone.conflicts)
      text += fmt::format("\n  {} {} {}: {}", conflict.kind, conflict.identifier, conflict.field,
                          conflict.reason);
    return text;
  }

  // The newest ones more often: they can be undone whole.
  Lsn some_lsn() {
    const std::uint64_t first = past_.first().value;
    const std::uint64_t last = past_.last().value;
    const std::uint64_t recent = last < first + 2 ? first : last - 2;
    return Lsn{dice_.between(dice_.one_in(2) ? first : recent, last)};
  }
  // An import also by its number, whether or not retention removed its record.
  std::string name_of(Lsn lsn) const {
    for (const auto& [number, import] : imports_)
      if (import.lsn == lsn) return fmt::format("import:{}", number);
    return std::to_string(lsn.value);
  }

  // ---- retention ----
  void retain() {
    const int days = 1 + dice_.below(40);
    note(fmt::format("retention after {} days", days));
    node_.clock().advance(std::chrono::hours(24 * days));
    const Hashes before = node_.files_there();
    if (const Status tidied = node_.retain(); !tidied) return fail(tidied.error().message);
    const Hashes named = node_.files_named();
    const Hashes there = node_.files_there();
    if (!std::ranges::includes(there, named)) fail("retention took a file that something names");
    // What came within a day may yet be named.
    if (days > 1 && there != named) fail("retention left a file that nothing names");
    count("retention that removes files", there.size() < before.size());
    check_import_records();
  }
  void check_import_records() {
    const auto now = node_.clock().wall().instant().seconds;
    std::set<std::uint64_t> expected;
    for (const auto& [number, import] : imports_)
      if (import.ended.instant().seconds >= now - kDaysKept * 86'400) expected.insert(number);
    std::set<std::uint64_t> kept;
    node_.state()->catalog.imports.for_each(
        [&](std::uint64_t number, const engine::ImportRecord&) { kept.insert(number); });
    if (kept != expected) fail("retention left other import records than it should");
  }

  // ---- copies and the past ----
  void replay() {
    const Lsn lsn = some_lsn();
    if (dice_.one_in(2)) return replay_to(name_of(lsn), lsn);
    const Lsn at = past_.at_time(past_.at(lsn).time);
    replay_to(format_instant(past_.at(lsn).time.instant()), at);
  }
  void replay_to(const std::string& until, Lsn lsn) {
    note(fmt::format("replay to {}, which is LSN {}", until, lsn.value));
    fail(past_.check_replay(node_, until, lsn));
    count(until.find(':') == std::string::npos || until.starts_with("import")
              ? "replay to a transaction"
              : "replay to a time",
          !problem_);
  }

  void look_at_past() {
    const Lsn lsn = some_lsn();
    note(fmt::format("export and state at {}", lsn.value));
    fail(past_.check_state(node_, lsn));
    count("export of the past", !past_.at(lsn).exported.empty());
  }

  // Then the history goes on there.
  void back_up() {
    note("backup and restore");
    const std::string chain = node_.chain();
    const std::string file = node_.new_path();
    Status restored = node_.back_up(file);
    if (restored) restored = node_.go_on_from(file);
    if (!done("backup and restore", restored)) return;
    if (node_.chain() != chain) fail("its head is another");
    fail(past_.check_whole(*node_, past_.last(), 0));
  }

  void restart() {
    note("restart");
    const std::string chain = node_.chain();
    node_.restart();
    count("restart", node_.chain() == chain);
    if (node_.chain() != chain) fail("its head is another");
  }

  void checkpoint() {
    note("checkpoint");
    const auto taken = node_->checkpoint();
    done("checkpoint", taken);
  }

  // ---- in the end: what the journal tells of it all ----
  void look_back() {
    fail(past_.check_whole(*node_, past_.last(), 0));
    replay();
    for (const Lsn lsn : {some_lsn(), some_lsn()}) fail(past_.check_state(node_, lsn));
    for (int i = 0; i < 5; ++i) fail(past_.check_log(node_, fmt::format("T{}", i)));
  }

  struct Imported {
    Lsn lsn;
    WallTime ended;
  };

  Dice dice_;
  HistoryNode node_;
  StepCounts& counts_;
  Past past_;
  PlainMap map_;
  Key next_ = kNoIdentityYet;  // for the next new element
  int step_ = 0;
  bool own_rules_ = false;
  bool had_duplicates_ = false;                // before the last step
  bool undo_ = false;                          // the last step was one
  std::set<std::string> delivered_;            // topologies, by the last step
  std::map<std::uint64_t, Imported> imports_;  // by record
  std::map<std::uint64_t, Planned> plans_;
  std::string told_;
  std::optional<std::string> problem_;
};

}  // namespace

HistoryOutcome run_history(std::uint64_t seed, StepCounts& counts) {
  return Run(seed, counts).all();
}

}  // namespace netml::test
