// A delta of a file that is known is planned without the rest of the file. Whatever the publisher
// changed, and whatever was imported or edited elsewhere in between, that plan is the one that
// reading the new file gives.
#include "engine/import/changed_file.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "codecs/netml/delta/delta_changes.hpp"
#include "codecs/netml/delta/exported_map.hpp"
#include "codecs/netml/delta/taken_export.hpp"
#include "codecs/netml/delta/write_delta.hpp"
#include "engine/edit/plan_records.hpp"
#include "engine/graph/document.hpp"
#include "tests/support/import_harness.hpp"
#include "tests/support/random_files.hpp"
#include "tests/support/random_history.hpp"
#include "tests/support/read_netml.hpp"

namespace netml::test {
namespace {

using codecs::ExportedMap;
using engine::CollisionPolicy;
using engine::ImportOptions;
using engine::ImportPlan;
using engine::State;

constexpr std::size_t kMuch = 1 << 20;
const codecs::DeltaLabel kLabel{.stream = "a stream", .from = "a", .to = "b"};

std::optional<ImportPlan> imported(State& state, const std::string& xml, ImportOptions options) {
  const auto document = codecs::read_netml(xml);
  RC_ASSERT(document.has_value());
  options.parent = engine::default_parent(state.graph);
  auto plan = engine::plan_import(state, *document, options);
  if (!plan) return std::nullopt;
  state = committed(state, plan->transaction);
  return *std::move(plan);
}

std::optional<engine::Transaction> random_change(const State& state) {
  if (state.graph.size() == 0) return std::nullopt;
  const RecordId record = any_record(state);
  engine::RecordEdit edit;
  const int drawn = below(6);
  if (drawn == 0) edit.id = "new " + std::to_string(below(4));
  if (drawn > 0) edit.name = "edited " + std::to_string(below(3));
  // The one institution that every topology has.
  const RecordId global = state.graph.find_newest(Kind::institution, engine::kGlobalInstitutionId);
  if (drawn == 2 && global) edit.owners = {{global}};
  if (drawn == 3) edit.owner = global;
  if (drawn == 1) edit.properties = {{"tag", std::to_string(below(3))}};
  auto planned = below(4) == 0 ? engine::plan_record_delete(state, record)
                               : engine::plan_record_update(state, record, edit);
  return planned ? std::optional(*std::move(planned)) : std::nullopt;
}

class Publisher {
 public:
  explicit Publisher(std::string root) : root_(std::move(root)) {}

  void change() {
    if (below(3) == 0) {
      imported(state_, random_file(4, Marks::homes), {});
    } else if (const auto edit = random_change(state_)) {
      state_ = committed(state_, *edit);
    }
  }
  struct Published {
    ExportedMap map;
    std::string text;
  };
  std::optional<Published> now(const ExportedMap* before) const {
    const RecordId root = state_.graph.find_newest(Kind::topology, root_);
    if (!root) return std::nullopt;
    InlineParallel parallel;
    auto map = codecs::exported_map(state_.graph, root, before, parallel);
    if (!map) return std::nullopt;
    return Published{*std::move(map), export_text(state_.graph, root)};
  }

 private:
  const std::string root_;
  State state_;
};

bool same_change(const engine::RecordChange& a, const engine::RecordChange& b) {
  return a.id == b.id && a.before == b.before && a.after == b.after;
}

void expect_same(const ImportPlan& quick, const ImportPlan& full) {
  RC_ASSERT(std::ranges::equal(quick.transaction.records, full.transaction.records, same_change));
  RC_ASSERT(quick.transaction.numberings == full.transaction.numberings);
  RC_ASSERT(quick.transaction.renumberings == full.transaction.renumberings);
  RC_ASSERT(quick.transaction.next_id == full.transaction.next_id);
  RC_ASSERT(quick.transaction.next_number == full.transaction.next_number);
  RC_ASSERT(quick.log.text() == full.log.text());
  RC_ASSERT(quick.log.counts() == full.log.counts());
  RC_ASSERT(quick.covered == full.covered);
  RC_ASSERT(quick.root == full.root);
  RC_ASSERT(quick.parent == full.parent);
}

// Takes what the publisher has, by deltas where they are of use.
class Taker {
 public:
  explicit Taker(ImportOptions options) : options_(options) {}

  void take(const Publisher& publisher) {
    auto now = publisher.now(known_ ? &published_->map : nullptr);
    if (!now) return;
    std::optional<ImportPlan> quick = planned_from_delta(*now);
    const State before = state_;
    const auto full = imported(state_, now->text, options_);
    if (quick) {
      RC_ASSERT(full.has_value());
      expect_same(*quick, *full);
      RC_TAG(std::string(quick->transaction.records.empty() ? "nothing" : "something"));
      ++taken_by_delta_;
    }
    if (!full) return;
    // What is known of it comes from the delta, and must hold the next time.
    known_ = quick ? quick->known : full->known;
    published_ = std::move(now);
  }

  // Somebody else changes the map: nothing is known any more.
  void disturb() {
    if (below(2) == 0) {
      imported(state_, random_file(3, Marks::homes), options_);
    } else if (const auto edit = random_change(state_)) {
      state_ = committed(state_, *edit);
    }
    known_ = nullptr;
  }

  int taken_by_delta() const { return taken_by_delta_; }

 private:
  std::optional<ImportPlan> planned_from_delta(const Publisher::Published& now) {
    if (!known_) return std::nullopt;
    InlineParallel parallel;
    const auto text = codecs::write_delta(published_->map, now.map, kLabel, kMuch, parallel);
    RC_ASSERT(text.has_value());
    const auto delta = codecs::read_delta(text->view());
    RC_ASSERT(delta.has_value());
    const auto taken = codecs::TakenExport::of(published_->text);
    RC_ASSERT(taken.has_value());
    codecs::TopologyHasher::Counts counts;
    const auto after = taken->after(*delta, kLabel.from, counts);
    RC_ASSERT(after.has_value());
    auto document = codecs::document_of(*delta);
    if (!document) return std::nullopt;
    const auto changes = codecs::changes_of(*delta, *std::move(document), *after, counts);
    if (!changes) return std::nullopt;
    ImportOptions options = options_;
    options.parent = engine::default_parent(state_.graph);
    return engine::plan_changed_file(state_, *known_, *changes, options);
  }

  State state_;
  const ImportOptions options_;
  std::optional<Publisher::Published> published_;
  std::shared_ptr<const engine::KnownFile> known_;
  int taken_by_delta_ = 0;
};

RC_GTEST_PROP(ChangedFile, IsPlannedAsIfItWereRead, ()) {
  ImportOptions options;
  options.propagate_topology_deletion = *rc::gen::arbitrary<bool>();
  Publisher publisher(random_topology_id());
  Taker taker(options);
  for (int step = 0; step < 12; ++step) {
    publisher.change();
    if (below(8) == 0) taker.disturb();
    taker.take(publisher);
  }
  RC_CLASSIFY(taker.taken_by_delta() > 0, "taken by delta");
  RC_CLASSIFY(taker.taken_by_delta() > 3, "often");
}

}  // namespace
}  // namespace netml::test
