#include "tests/histories/history_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include "admin/cli/command_line.hpp"
#include "admin/services/audit.hpp"
#include "admin/services/import_plans.hpp"
#include "admin/services/restore.hpp"
#include "admin/services/retention.hpp"
#include "admin/services/rules.hpp"
#include "admin/services/settings.hpp"
#include "admin/services/undo.hpp"
#include "engine/document.hpp"
#include "engine/plan_edit.hpp"
#include "engine/plan_records.hpp"
#include "engine/sha256.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/histories/plain_undo.hpp"

namespace netml::test {

namespace {

using admin::Caller;
using admin::Change;
using admin::ImportJob;
using admin::ImportOutcome;
using admin::ImportPlans;
using engine::RecordEdit;
using Hashes = std::set<std::string>;

const Caller kSomebody{engine::ActorKind::command_line, "tester", "here", "r1"};
constexpr std::string_view kDaysKept = "30";
constexpr const char* kRules =
    R"([{"name": "Manual", "enabled": false, "rules": [{"name": "no n1",
  "match_criteria": [{"match_type": "Match Nodes by ID",
                      "matchinfo_set": [{"key": "ID", "value": "n1"}]}],
  "actions": [{"action_type": "Delete Node", "actioninfo_set": []}]}]}])";

class NoProgress : public admin::cli::Progress {
 public:
  void sent(std::uint64_t) override {}
};

class Run {
 public:
  explicit Run(std::uint64_t seed) : random_(seed), secrets_(seed) {}

  std::optional<std::string> all() {
    open(directory_.file("data").string());
    start();
    const int steps = 4 + below(14);
    for (int i = 0; i < steps && problem_.empty(); ++i) step();
    if (problem_.empty()) look_back();
    if (problem_.empty()) return std::nullopt;
    return fmt::format("{}\nafter:\n{}", problem_, fmt::join(steps_, "\n"));
  }

 private:
  // ---- drawing ----
  int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint64_t>(limit)); }
  bool one_in(int count) { return below(count) == 0; }
  template <class T>
  const T& one_of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
  }
  std::vector<Key> keys(Kind kind) const {
    std::vector<Key> found;
    for (const auto& [key, element] : map_)
      if (element.kind == kind && element.id != engine::kGlobalInstitutionId) found.push_back(key);
    return found;
  }
  std::set<Key> some_of(const std::vector<Key>& all) {
    std::set<Key> chosen;
    for (const Key key : all)
      if (one_in(2)) chosen.insert(key);
    return chosen;
  }
  static std::string numbered(char letter, int number) {
    return std::string(1, letter) + std::to_string(number);
  }
  std::string name_of(std::string_view id) { return fmt::format("{} {}", id, "abc"[below(3)]); }
  std::string value() { return one_in(2) ? std::string() : std::to_string(below(3)); }

  PlainFile file() {
    PlainFile file;
    file.id = numbered('T', below(4));
    file.name = name_of(file.id);
    std::vector<std::string> owners;
    std::vector<std::string> nodes;
    const auto add = [&](Kind kind, const std::string& id) -> PlainFile::Element& {
      PlainFile::Element& element = file.elements.emplace_back();
      element.kind = kind;
      element.id = id;
      element.name = name_of(id);
      element.property = value();
      if (kind != Kind::institution && one_in(2)) element.owners.insert(one_of(owners));
      return element;
    };
    for (int i = 0; i < 3; ++i)
      if (i == 2 ? owners.empty() || one_in(2) : one_in(2)) {
        add(Kind::institution, numbered('i', i));
        owners.push_back(numbered('i', i));
      }
    file.owner = one_of(owners);
    for (int n = 0; n < 5; ++n)
      if (one_in(2)) {
        add(Kind::node, numbered('n', n));
        nodes.push_back(numbered('n', n));
      }
    for (int l = 0; l < 3 && nodes.size() > 1; ++l)
      if (one_in(2)) {
        std::shuffle(nodes.begin(), nodes.end(), random_);
        add(Kind::link, numbered('l', l)).ends = {nodes[0], nodes[1]};
      }
    return file;
  }

  // ---- the node ----
  void open(const std::string& path) {
    node_.reset();
    auto opened = admin::Node::open({.data_directory = path}, clock_, secrets_, events_);
    NETML_ASSERT(opened.has_value());
    node_ = std::move(*opened);
    path_ = path;
  }
  engine::StatePtr state() const { return node_->version().state; }
  Lsn head() const { return state()->lsn; }

  void start() {
    Change change{.caller = kSomebody, .cause = engine::Cause::setting};
    change.plan = [](const engine::State& now, WallTime) -> Result<engine::Transaction> {
      return plan_setting_set(now, std::string(admin::kImportDays), std::string(kDaysKept));
    };
    NETML_ASSERT(node_->commit(std::move(change)).has_value());
    NETML_ASSERT(admin::Rules(*node_).import(kSomebody, kRules).has_value());
    first_ = head().next();
    record_version();
  }

  void fail(std::string text) {
    if (problem_.empty()) problem_ = std::move(text);
  }

  // The map is what the node must hold now.
  void record_version() {
    const std::vector<std::string> expected = lines(map_);
    const std::vector<std::string> found = lines(state()->graph);
    if (expected != found)
      fail(fmt::format("the node holds\n  {}\ninstead of\n  {}", fmt::join(found, "\n  "),
                       fmt::join(expected, "\n  ")));
    Version version{map_, files_named(), renumbered_};
    versions_.resize(head().value + 1, version);
    renumbered_ = 0;
  }

  Hashes files_named() const {
    Hashes hashes;
    const engine::Catalog& catalog = state()->catalog;
    catalog.imports.for_each([&](std::uint64_t, const engine::ImportRecord& record) {
      hashes.insert(to_hex(record.file_hash));
    });
    catalog.plans.for_each([&](std::uint64_t, const engine::KeptPlan& plan) {
      hashes.insert(to_hex(plan.file_hash));
    });
    return hashes;
  }
  Hashes files_there() const {
    Hashes hashes;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(path_) / "uploads"))
      hashes.insert(entry.path().filename().string());
    return hashes;
  }

  // ---- steps ----
  // The first is an import: without one there is nothing to do anything else with.
  void step() {
    const int choice = steps_.empty() ? 0 : below(20);
    if (choice < 5)
      import();
    else if (choice < 10)
      edit();
    else if (choice < 14)
      undo();
    else if (choice < 15)
      run_rule();
    else if (choice < 16)
      plan();
    else if (choice < 17)
      apply();
    else if (choice < 18)
      retain();
    else if (choice < 19)
      replay(Lsn{first_.value + random_() % (head().value - first_.value + 2)});
    else
      back_up_and_restore();
    record_version();
  }

  std::unique_ptr<ImportJob> job(const PlainFile& file) {
    admin::ImportRequest request;
    request.caller = kSomebody;
    request.file_name = "map.xml";
    request.place = admin::ImportPlace::top_level;
    auto begun = ImportJob::begin(*node_, std::move(request));
    NETML_ASSERT(begun.has_value());
    (*begun)->write(file.xml());
    return std::move(*begun);
  }
  static std::string told(const PlainFile& file) {
    std::string text = fmt::format("{} \"{}\" of {}:", file.id, file.name, file.owner);
    for (const PlainFile::Element& element : file.elements)
      text += fmt::format(
          " {}{}{}{}", element.id, element.property.empty() ? "" : "=", element.property,
          element.ends[0].empty() ? std::string()
                                  : fmt::format("({}-{})", element.ends[0], element.ends[1]));
    return text;
  }
  void note(std::string text) {
    steps_.push_back(fmt::format("  after LSN {}: {}", head().value, std::move(text)));
  }

  void import() {
    const PlainFile imported_file = file();
    note("import " + told(imported_file));
    const ImportOutcome outcome = job(imported_file)->commit();
    if (!outcome) return fail("refused: " + outcome.error().error.message);
    map_ = imported(std::move(map_), imported_file, next_);
    renumbered_ = find(map_, Kind::topology, imported_file.id);
  }

  RecordId record(Key key) const {
    const PlainElement& element = map_.at(key);
    return state()->graph.find_newest(element.kind, element.id);
  }
  std::vector<RecordId> records(const std::set<Key>& keys) const {
    std::vector<RecordId> ids;
    for (const Key key : keys) ids.push_back(record(key));
    return ids;
  }

  void commit(const std::function<Result<engine::Transaction>(const engine::State&)>& plan) {
    Change change{.caller = kSomebody, .cause = engine::Cause::edit};
    change.plan = [&](const engine::State& now, WallTime) { return plan(now); };
    const auto committed = node_->commit(std::move(change));
    if (!committed) fail("refused: " + committed.error().message);
  }

  void edit() {
    std::vector<Key> all;
    for (const auto& [key, element] : map_)
      if (element.id != engine::kGlobalInstitutionId) all.push_back(key);
    if (all.empty() || one_in(8)) return create_node();
    const Key key = one_of(all);
    if (one_in(5)) {
      note("delete " + map_.at(key).id);
      commit(
          [&, id = record(key)](const engine::State& now) { return plan_record_delete(now, id); });
      return erase(map_, key);
    }
    change(key);
  }

  void create_node() {
    const std::vector<Key> topologies = keys(Kind::topology);
    const std::string id = numbered('n', below(5));
    if (topologies.empty() || find(map_, Kind::node, id) != 0) return;
    const Key topology = one_of(topologies);
    note(fmt::format("create {} in {}", id, map_.at(topology).id));
    RecordEdit edit;
    edit.id = id;
    edit.name = id + " a";
    edit.latitude = engine::Micro(44'650'000);
    edit.longitude = engine::Micro(-63'570'000);
    edit.topologies = records({topology});
    commit([&](const engine::State& now) -> Result<engine::Transaction> {
      auto created = plan_record_create(now, Kind::node, edit);
      if (!created) return tl::unexpected(created.error());
      return std::move(created->transaction);
    });
    PlainElement& element = map_[next_++];
    element.kind = Kind::node;
    element.id = id;
    element.name = *edit.name;
    element.topologies = {topology};
  }

  // One thing about one element.
  void change(Key key) {
    PlainElement changed = map_.at(key);
    RecordEdit edit;
    const bool topology = changed.kind == Kind::topology;
    switch (below(6)) {
      case 0:
        changed.name = name_of(changed.id);
        edit.name = changed.name;
        break;
      case 1:
        changed.property = value();
        edit.properties.emplace();
        if (!changed.property.empty()) edit.properties->push_back({"k", changed.property});
        break;
      case 2:
        if (topology)
          change_parent(key, changed, edit);
        else
          change_topologies(changed, edit);
        break;
      case 3:
        change_owners(changed, edit);
        break;
      case 4:
        if (changed.kind == Kind::link) change_ends(changed, edit);
        if (changed.kind == Kind::node) change_id(changed, edit);
        break;
      default:
        if (topology) change_main(changed, edit);
    }
    if (changed == map_.at(key)) return;
    note(fmt::format("change {} to {}", map_.at(key).id, described(changed)));
    commit([&, id = record(key)](const engine::State& now) {
      return plan_record_update(now, id, edit);
    });
    if (changed.main && !map_.at(key).main)
      for (auto& [other, element] : map_) element.main = false;
    map_[key] = changed;
  }
  std::string described(const PlainElement& element) const {
    const auto ids = [&](const auto& keys) {
      std::vector<std::string> texts;
      for (const Key each : keys)
        if (each != 0) texts.push_back(map_.at(each).id);
      return fmt::format("{}", fmt::join(texts, ","));
    };
    return fmt::format("{} \"{}\" k={} main={} in {} owned by {} ends {}", element.id, element.name,
                       element.property, element.main, ids(element.topologies), ids(element.owners),
                       ids(element.ends));
  }

  void change_parent(Key key, PlainElement& changed, RecordEdit& edit) {
    const std::vector<Key> topologies = keys(Kind::topology);
    Key parent = one_in(3) ? 0 : one_of(topologies);
    for (Key above = parent; above != 0;
         above = map_.at(above).topologies.empty() ? 0 : *map_.at(above).topologies.begin())
      if (above == key) return;
    changed.topologies.clear();
    if (parent != 0) changed.topologies.insert(parent);
    edit.parent = parent == 0 ? RecordId{} : record(parent);
  }
  void change_topologies(PlainElement& changed, RecordEdit& edit) {
    std::set<Key> chosen = some_of(keys(Kind::topology));
    if (chosen.empty()) return;
    changed.topologies = chosen;
    edit.topologies = records(chosen);
  }
  void change_owners(PlainElement& changed, RecordEdit& edit) {
    const std::vector<Key> institutions = keys(Kind::institution);
    if (changed.kind == Kind::institution || institutions.empty()) return;
    if (changed.kind == Kind::topology) {
      changed.owners = {one_of(institutions)};
      edit.owner = record(*changed.owners.begin());
    } else {
      changed.owners = some_of(institutions);
      edit.owners = records(changed.owners);
    }
  }
  void change_ends(PlainElement& changed, RecordEdit& edit) {
    const std::vector<Key> nodes = keys(Kind::node);
    const std::array<Key, 2> ends{one_in(2) ? changed.ends[0] : one_of(nodes), one_of(nodes)};
    if (ends[0] == ends[1]) return;
    changed.ends = ends;
    edit.end_a = record(ends[0]);
    edit.end_b = record(ends[1]);
  }
  void change_id(PlainElement& changed, RecordEdit& edit) {
    const std::string id = numbered('n', below(5));
    if (find(map_, Kind::node, id) != 0) return;
    changed.id = id;
    edit.id = id;
  }
  static void change_main(PlainElement& changed, RecordEdit& edit) {
    changed.main = true;
    edit.main = true;
  }

  void undo() {
    if (head() < first_) return;
    const Lsn lsn{first_.value + random_() % (head().value - first_.value + 1)};
    const bool force = one_in(3);
    admin::Audit audit(*node_);
    admin::Undo undo(*node_, audit);
    const PlainUndo expected =
        undone(map_, versions_[lsn.value - 1].map, versions_[lsn.value].map, force);
    if (expected.takes_identifier) return;  // the default rules would make one of them at once
    note(fmt::format("undo {}{}", lsn.value, force ? " by force" : ""));
    const auto done =
        undo.undo(kSomebody, std::to_string(lsn.value),
                  force ? engine::UndoForce::overwrite : engine::UndoForce::leave_conflicts);
    if (!done) return fail("refused: " + done.error().message);
    map_ = expected.map;
    if ((done->conflict_count != 0) != expected.conflicts) {
      std::string text = fmt::format("{} conflicts, expected {}", done->conflict_count,
                                     expected.conflicts ? "some" : "none");
      for (const engine::UndoConflict& conflict : done->conflicts)
        text += fmt::format("\n  {} {} {}: {}", conflict.kind, conflict.identifier, conflict.field,
                            conflict.reason);
      fail(std::move(text));
    }
  }

  void run_rule() {
    note("rule: no n1");
    std::uint64_t rule = 0;
    state()->catalog.rules.for_each([&](std::uint64_t number, const engine::Rule& each) {
      if (each.name == "no n1") rule = number;
    });
    const auto done = admin::Rules(*node_).apply(kSomebody, {.rule = rule, .ruleset = {}});
    if (!done) return fail("refused: " + done.error().message);
    if (const Key node = find(map_, Kind::node, "n1"); node != 0) erase(map_, node);
  }

  void plan() {
    const PlainFile planned = file();
    note("plan " + told(planned));
    const ImportOutcome outcome = job(planned)->keep_plan();
    if (!outcome) return fail("refused: " + outcome.error().error.message);
    Key next = next_;
    plans_[outcome->plan] = {planned, effects(map_, imported(map_, planned, next))};
  }

  // Exactly what was planned, or nothing; then planned again, and applied.
  void apply() {
    if (plans_.empty()) return;
    const auto& [number, planned] = *plans_.begin();
    Key next = next_;
    PlainMap after = imported(map_, planned.file, next);
    const bool fits = effects(map_, after) == planned.effects;
    note(fmt::format("apply plan {}, which {}", number, fits ? "fits" : "is stale"));
    ImportPlans plans(*node_);
    const auto refused = plans.apply(kSomebody, number);
    if (refused.has_value() != fits)
      return fail(refused ? "it was applied" : "refused: " + refused.error().error.message);
    if (!fits) {
      record_version();
      const auto again = plans.again(kSomebody, number, admin::PlanAgain::keep);
      if (!again) return fail("not planned again: " + again.error().message);
      if (again->difference_count == 0) fail("planned again, and nothing differs");
      record_version();
      const auto applied = plans.apply(kSomebody, number);
      if (!applied) return fail("refused again: " + applied.error().error.message);
    }
    map_ = std::move(after);
    next_ = next;
    renumbered_ = find(map_, Kind::topology, planned.file.id);
    plans_.erase(plans_.begin());
  }

  void retain() {
    const int days = 1 + below(40);
    note(fmt::format("retention after {} days", days));
    clock_.advance(std::chrono::hours(24 * days));
    if (const auto done = admin::Retention(*node_).tidy(); !done) fail(done.error().message);
    record_version();
    const Hashes named = files_named();
    const Hashes there = files_there();
    if (!std::ranges::includes(there, named)) fail("retention took a file that something names");
  }

  // A directory of its own, which is whole, and says which files are gone.
  void replay(Lsn lsn) {
    if (lsn < first_ || lsn > head()) return;
    note(fmt::format("replay to {}", lsn.value));
    const std::string copy = directory_.file(fmt::format("copy{}", ++copies_)).string();
    const auto copied = node_->copy_until(lsn, copy);
    if (!copied) return fail("not copied: " + copied.error().message);
    const Version& version = versions_[lsn.value];
    Hashes gone;
    std::ranges::set_difference(version.files, files_there(), std::inserter(gone, gone.end()));
    admin::testing::KeptEvents events;
    auto opened = admin::Node::open({.data_directory = copy}, clock_, secrets_, events);
    if (!opened) return fail("not opened: " + opened.error().message);
    check_whole(**opened, version.map, gone.size());
    opened->reset();
    std::filesystem::remove_all(copy);
  }

  void check_whole(admin::Node& node, const PlainMap& map, std::size_t gone) {
    const auto found = node.verify();
    if (!found) return fail("not verified: " + found.error().message);
    if (!found->findings.empty()) return fail("damaged: " + found->findings.front());
    if (found->uploads_gone != gone)
      fail(fmt::format("{} files gone, expected {}", found->uploads_gone, gone));
    if (lines(node.version().state->graph) != lines(map)) fail("it holds something else");
  }

  // Then the history goes on there.
  void back_up_and_restore() {
    note("backup and restore");
    const std::string file = directory_.file("backup").string();
    {
      const auto backup = node_->backup();
      if (!backup) return fail("no backup: " + backup.error().message);
      std::ofstream out(file, std::ios::binary | std::ios::trunc);
      while (true) {
        const auto piece = (*backup)->next();
        if (!piece) return fail("no backup: " + piece.error().message);
        if (piece->empty()) break;
        out.write(reinterpret_cast<const char*>(piece->data()),
                  static_cast<std::streamsize>(piece->size()));
      }
    }
    admin::cli::RestoreOptions options;
    options.file = file;
    options.into = directory_.file(fmt::format("restored{}", ++copies_)).string();
    NoProgress progress;
    const auto restored = admin::restore_backup(options, progress);
    if (!restored) return fail("not restored: " + restored.error().message);
    const std::string old = path_;
    open(options.into);
    std::filesystem::remove_all(old);
    check_whole(*node_, map_, 0);
  }

  // ---- in the end: what the journal tells of it all ----
  void look_back() {
    const auto found = node_->verify();
    if (!found || !found->findings.empty())
      fail("damaged: " + (found ? found->findings.front() : found.error().message));
    replay(Lsn{first_.value + random_() % (head().value - first_.value + 1)});
    const Lsn lsn{first_.value + random_() % (head().value - first_.value + 1)};
    const auto past = node_->state_at(lsn);
    if (!past || lines(past->state->graph) != lines(versions_[lsn.value].map))
      fail(fmt::format("the state at LSN {} was another", lsn.value));
    for (int i = 0; i < 4; ++i) look_at_log(numbered('T', i));
  }

  // Whether it changed the topology, or what belonged to it before or after.
  bool concerns(std::uint64_t lsn, const std::set<Key>& topologies) const {
    const PlainMap& before = versions_[lsn - 1].map;
    const PlainMap& after = versions_[lsn].map;
    const auto in = [&](const PlainMap& map, Key key) {
      const auto found = map.find(key);
      if (found == map.end()) return false;
      return topologies.contains(key) ||
             std::ranges::any_of(found->second.topologies,
                                 [&](Key each) { return topologies.contains(each); });
    };
    if (topologies.contains(versions_[lsn].renumbered)) return true;
    for (Key key = 1; key < next_; ++key) {
      const auto old = before.find(key);
      const auto now = after.find(key);
      const bool same = old == before.end() || now == after.end()
                            ? (old == before.end()) == (now == after.end())
                            : old->second == now->second;
      if (!same && (in(before, key) || in(after, key))) return true;
    }
    return false;
  }

  void look_at_log(const std::string& id) {
    std::set<Key> topologies;
    for (const Version& version : versions_)
      if (const Key key = find(version.map, Kind::topology, id); key != 0) topologies.insert(key);
    if (topologies.empty()) return;
    std::vector<std::uint64_t> expected;
    for (std::uint64_t lsn = first_.value; lsn <= head().value; ++lsn)
      if (concerns(lsn, topologies)) expected.push_back(lsn);
    auto reader = node_->journal();
    NETML_ASSERT(reader.has_value());
    wal::HistoryQuery query;
    const auto named = reader->records_named(id);
    NETML_ASSERT(named.has_value());
    query.topologies = *named;
    std::vector<std::uint64_t> listed;
    const Status read = reader->history(query, [&](const wal::HistoryEntry& entry) {
      listed.push_back(entry.lsn.value);
      return true;
    });
    if (!read) return fail(read.error().message);
    if (listed != expected)
      fail(fmt::format("the log of {} tells of {}, expected {}", id, fmt::join(listed, " "),
                       fmt::join(expected, " ")));
  }

  struct Version {
    PlainMap map;
    Hashes files;        // that imports and plans name
    Key renumbered = 0;  // the topology that was imported
  };
  struct Planned {
    PlainFile file;
    std::multiset<std::string> effects;
  };

  std::mt19937_64 random_;
  testing::SeededRandom secrets_;
  testing::ManualClock clock_;
  admin::testing::KeptEvents events_;
  TemporaryDirectory directory_;
  std::string path_;
  std::unique_ptr<admin::Node> node_;
  int copies_ = 0;

  Lsn first_;  // of the history, after what is set up
  PlainMap map_;
  Key next_ = 1;
  Key renumbered_ = 0;
  std::vector<Version> versions_;  // by LSN
  std::map<std::uint64_t, Planned> plans_;
  std::vector<std::string> steps_;
  std::string problem_;
};

}  // namespace

std::optional<std::string> run_history(std::uint64_t seed) {
  return Run(seed).all();
}

}  // namespace netml::test
