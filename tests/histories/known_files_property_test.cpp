// Goal: whether a file is known, and so neither written nor read, shows nowhere: not in the answer,
// not in the import record, its log and its counts, not in the journal, not in the state
// (docs/decisions/011-known-files.md). Method: two nodes with one random history. One remembers
// what it imported; the other, whose intake is made anew for each file, reads all of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "admin/imports/intake.hpp"
#include "admin/settings/rules.hpp"
#include "admin/settings/settings.hpp"
#include "engine/edit/plan_edit.hpp"
#include "engine/edit/plan_records.hpp"
#include "engine/rules/plan_rules.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/histories/dice.hpp"
#include "tests/histories/plain_rules.hpp"

namespace netml::test {
namespace {

using admin::Change;
using admin::ImportOutcome;
using admin::ImportRequest;
using admin::UploadEnd;
using admin::testing::kCaller;

// A file on its way to both nodes.
struct Sent {
  ImportRequest request;
  std::string file;
  std::size_t piece = 0;
  UploadEnd end = UploadEnd::import;
};

class OneNode {
 public:
  explicit OneNode(bool remembers) : remembers_(remembers) { open(); }

  ImportOutcome send(const Sent& sent) {
    if (!remembers_) take_in_anew();
    const bool queued = sent.end == UploadEnd::queue;
    auto upload =
        intake_->begin(sent.request, queued ? admin::ReadWhen::stored : admin::ReadWhen::arriving);
    NETML_ASSERT(upload.has_value());
    for (std::string_view rest = sent.file; !rest.empty();
         rest.remove_prefix(std::min(sent.piece, rest.size())))
      NETML_ASSERT((*upload)->write(rest.substr(0, sent.piece)).has_value());
    return (*upload)->finish(sent.end);
  }
  bool import_waiting() { return queue_->import_waiting(); }
  Result<Lsn> change(const std::function<Result<engine::Transaction>(const engine::State&)>& plan) {
    Change change{.caller = kCaller};
    change.plan = [&](const engine::State& state, WallTime) { return plan(state); };
    return node_->commit(std::move(change));
  }
  void restart() { open(); }

  admin::Node& operator*() { return *node_; }
  admin::Node* operator->() { return node_.get(); }
  engine::StatePtr state() const { return node_->version().state; }
  const admin::testing::KeptEvents& events() const { return events_; }
  testing::ManualClock& clock() { return clock_; }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(directory_.file("data/uploads")))
      names.push_back(file.path().filename().string());
    std::ranges::sort(names);
    return names;
  }

 private:
  void open() {
    intake_.reset();
    queue_.reset();
    node_.reset();
    admin::NodeOptions options{.data_directory = directory_.file("data").string()};
    options.store.journal.segment_bytes = 16 << 10;
    options.store.ballast_bytes = 0;
    auto opened = admin::Node::open(options, clock_, random_, events_);
    NETML_ASSERT(opened.has_value());
    node_ = std::move(*opened);
    queue_ = std::make_unique<admin::ImportQueue>(*node_);
    take_in_anew();
  }
  void take_in_anew() {
    intake_ = std::make_unique<admin::Intake>(*node_);
    intake_->use(*queue_);
  }

  const bool remembers_;
  TemporaryDirectory directory_{memory_disk()};
  testing::ManualClock clock_;
  testing::SeededRandom random_;
  admin::testing::KeptEvents events_;
  std::unique_ptr<admin::Node> node_;
  std::unique_ptr<admin::ImportQueue> queue_;
  std::unique_ptr<admin::Intake> intake_;
};

std::string text_of(const admin::ImportResult& result) {
  std::string text = fmt::format(
      "record {} lsn {} status {} plan {} held \"{}\" created {} updated {} deleted {}\n{}\n",
      result.record, result.lsn.value, static_cast<int>(result.status), result.plan,
      result.held_because, result.changes.created, result.changes.updated, result.changes.deleted,
      result.log);
  for (const engine::ImportCounts& counts : result.counts)
    text += fmt::format("{} {}\n", counts.parsed, counts.imported);
  return text + fmt::format("{} moves\n", result.moves.size());
}

std::string text_of(const ImportOutcome& outcome) {
  if (outcome) return text_of(*outcome);
  const admin::ImportFailure& failure = outcome.error();
  return fmt::format("{} record {} plan {} no room {} errors {}", failure.error.text(),
                     failure.record, failure.plan, failure.no_room, failure.errors.count);
}

// Of the newest one, as the journal has it.
std::string transaction_text(OneNode& node) {
  const auto read = node->transaction_at(node.state()->lsn);
  if (!read) return read.error().text();
  const engine::Transaction& transaction = read->transaction;
  std::string text = fmt::format(
      "{} records, {} numberings, next {} {}, cause {}, from {}\n", transaction.records.size(),
      transaction.numberings.size(), transaction.next_id.value, transaction.next_number.value,
      static_cast<int>(transaction.provenance.cause), transaction.provenance.source);
  for (const engine::Renumbering& each : transaction.renumberings)
    text += fmt::format("{} {} {}\n", each.topology.value, each.first.value, each.count);
  return text;
}

class TwoNodes {
 public:
  explicit TwoNodes(std::uint64_t seed) : dice_(seed) {
    for (OneNode* node : {&knowing_, &reading_}) {
      admin::ImportedRules imported;
      auto rules = admin::Rules::change_of_import(kCaller, own_rules_json(), imported);
      NETML_ASSERT(rules && admin::Rules(**node).commit(*std::move(rules)));
    }
    for (int i = 0; i < 2; ++i) files_.push_back(dice_.file().xml());
  }

  void step() {
    const auto passed = std::chrono::seconds(1 + dice_.below(100));
    knowing_.clock().advance(passed);
    reading_.clock().advance(passed);
    const int drawn = dice_.below(40);
    if (drawn < 30)
      send();
    else if (drawn < 33)
      edit();
    else if (drawn < 35)
      enable_own_rules();
    else if (drawn < 37)
      set_propagation();
    else if (drawn < 39)
      files_[static_cast<std::size_t>(dice_.below(2))] = dice_.file().xml();
    else
      restart();
    expect_same("transaction", transaction_text(knowing_), transaction_text(reading_));
    expect_same_states();
  }
  void end() {
    EXPECT_EQ(knowing_.files(), reading_.files()) << told_;
    EXPECT_EQ(knowing_.events().warnings, reading_.events().warnings) << told_;
    EXPECT_EQ(knowing_.events().errors, reading_.events().errors) << told_;
    const auto verified = knowing_->verify();
    ASSERT_TRUE(verified.has_value()) << told_;
    EXPECT_TRUE(verified->findings.empty()) << told_;
  }

  bool differs() const { return differs_; }
  std::uint64_t repeated() const { return repeated_; }  // without a change of a record

 private:
  // Mostly the same from the same sender; sometimes something else under its name.
  Sent draw() {
    Sent sent;
    const int sender = dice_.below(2);
    sent.request.caller = kCaller;
    sent.request.source = engine::ImportSource::api;
    sent.request.token = static_cast<std::uint64_t>(7 + sender);
    sent.request.token_client_name = "peer";
    sent.request.file_name = "map.xml";
    sent.request.place =
        sender == 0 ? admin::ImportPlace::top_level : admin::ImportPlace::below_main;
    if (dice_.one_in(8)) sent.request.place = admin::ImportPlace::where_it_is;
    if (dice_.one_in(12)) sent.request.parent = dice_.id(Kind::topology);
    if (dice_.one_in(8)) sent.request.topology_name = "renamed";
    if (dice_.one_in(10)) sent.request.deletions_max = 1;
    sent.file = files_[static_cast<std::size_t>(dice_.one_in(6) ? 1 - sender : sender)];
    if (dice_.one_in(10)) sent.file += '\n';
    if (dice_.one_in(15)) sent.file.resize(sent.file.size() / 2);
    if (dice_.one_in(3)) sent.request.file_bytes = sent.file.size() + 200;
    sent.piece =
        dice_.one_in(2) ? sent.file.size() : 1 + static_cast<std::size_t>(dice_.below(900));
    sent.end = dice_.one_in(8)    ? UploadEnd::dry_run
               : dice_.one_in(10) ? UploadEnd::plan
               : dice_.one_in(6)  ? UploadEnd::queue
                                  : UploadEnd::import;
    return sent;
  }

  void send() {
    const Sent sent = draw();
    told_ += fmt::format("{} bytes of token {} to end {}, below \"{}\", place {}, name \"{}\"\n",
                         sent.file.size(), sent.request.token, static_cast<int>(sent.end),
                         sent.request.parent.value_or(""), static_cast<int>(sent.request.place),
                         sent.request.topology_name);
    const std::uint64_t before = reading_->contents();
    const ImportOutcome known = knowing_.send(sent);
    const ImportOutcome read = reading_.send(sent);
    expect_same("outcome", text_of(known), text_of(read));
    if (sent.end == UploadEnd::queue)
      expect_same("queue", std::to_string(static_cast<int>(knowing_.import_waiting())),
                  std::to_string(static_cast<int>(reading_.import_waiting())));
    const bool done = read && sent.end == UploadEnd::import;
    repeated_ += done && reading_->contents() == before ? 1 : 0;
  }

  void edit() {
    const Kind kind = dice_.one_in(2) ? Kind::node : Kind::institution;
    const std::string id = dice_.id(kind);
    const bool deletes = dice_.one_in(3);
    const std::string name = dice_.name_of(id);
    told_ += fmt::format("edit {} to \"{}\", delete {}\n", id, name, deletes);
    change([&](const engine::State& state) -> Result<engine::Transaction> {
      const RecordId record = state.graph.find_newest(kind, id);
      if (!record) return fail(Errc::not_found, "none");
      engine::RecordEdit edit;
      edit.name = name;
      return deletes ? plan_record_delete(state, record) : plan_record_update(state, record, edit);
    });
  }
  void enable_own_rules() {
    const bool enabled = dice_.one_in(3);
    told_ += fmt::format("own rules {}\n", enabled);
    change([&](const engine::State& state) -> Result<engine::Transaction> {
      std::uint64_t own = 0;
      state.catalog.rulesets.for_each([&](std::uint64_t number, const engine::Ruleset& each) {
        if (each.name == kOwnRuleset) own = number;
      });
      engine::Ruleset ruleset = *state.catalog.rulesets.find(own);
      ruleset.enabled = enabled;
      return plan_ruleset_put(state, own, std::move(ruleset));
    });
  }
  void set_propagation() {
    const std::string value = dice_.one_in(2) ? "On" : "Off";
    told_ += fmt::format("propagation {}\n", value);
    change([&](const engine::State& state) -> Result<engine::Transaction> {
      return plan_setting_set(state, std::string(admin::kTopologyDeletionPropagation), value);
    });
  }
  void restart() {
    told_ += "restart\n";
    knowing_.restart();
    reading_.restart();
  }
  void change(const std::function<Result<engine::Transaction>(const engine::State&)>& plan) {
    const Result<Lsn> known = knowing_.change(plan);
    const Result<Lsn> read = reading_.change(plan);
    ASSERT_EQ(known.has_value(), read.has_value()) << told_;
  }

  void expect_same(const char* what, const std::string& known, const std::string& read) {
    EXPECT_EQ(known, read) << what << " after\n" << told_;
    differs_ = differs_ || known != read;
  }
  void expect_same_states() {
    const engine::StatePtr known = knowing_.state();
    const engine::StatePtr read = reading_.state();
    const bool same = known->digest() == read->digest() && known->lsn == read->lsn &&
                      known->effective_time == read->effective_time;
    EXPECT_TRUE(same) << "the states differ after\n" << told_;
    differs_ = differs_ || !same;
  }

  Dice dice_;
  OneNode knowing_{true};
  OneNode reading_{false};
  std::vector<std::string> files_;
  std::string told_;
  bool differs_ = false;
  std::uint64_t repeated_ = 0;
};

TEST(KnownFiles, ShowNowhere) {
  constexpr std::uint64_t kHistories = 60;
  constexpr int kSteps = 30;
  std::uint64_t repeated = 0;
  for (std::uint64_t seed = 1; seed <= kHistories; ++seed) {
    TwoNodes nodes(seed);
    for (int step = 0; step < kSteps && !nodes.differs(); ++step) nodes.step();
    nodes.end();
    repeated += nodes.repeated();
    if (HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GT(repeated, kHistories) << "too few came again to prove anything";
}

}  // namespace
}  // namespace netml::test
