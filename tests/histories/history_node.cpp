#include "tests/histories/history_node.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "admin/cli/client/options.hpp"
#include "admin/cli/client/progress.hpp"
#include "admin/exports/exporter.hpp"
#include "admin/exports/publisher.hpp"
#include "admin/imports/retention.hpp"
#include "admin/server/restore.hpp"
#include "admin/settings/rules.hpp"
#include "admin/settings/settings.hpp"
#include "engine/base/sha256.hpp"
#include "engine/edit/plan_edit.hpp"
#include "engine/rules/plan_rules.hpp"
#include "tests/histories/plain_rules.hpp"
#include "wal/format/stored_files.hpp"

namespace netml::test {

using admin::Change;

namespace {

admin::NodeOptions small(const std::string& path) {
  admin::NodeOptions options{.data_directory = path};
  options.store.journal.segment_bytes = 16 << 10;
  options.store.ballast_bytes = 0;
  return options;
}

}  // namespace

HistoryNode::HistoryNode(std::uint64_t seed) : secrets_(seed) {
  open(new_path());
  Change change{.caller = kCaller, .cause = engine::Cause::setting};
  change.plan = [](const engine::State& now, WallTime) -> Result<engine::Transaction> {
    return plan_setting_set(now, std::string(admin::kImportDays), std::to_string(kDaysKept));
  };
  NETML_ASSERT(node_->commit(std::move(change)).has_value());
  admin::ImportedRules imported;
  auto of_rules = admin::Rules::change_of_import(kCaller, own_rules_json(), imported);
  NETML_ASSERT(of_rules && admin::Rules(*node_).commit(*std::move(of_rules)));
}

void HistoryNode::open(const std::string& path) {
  node_.reset();
  auto opened = open_copy(path);
  NETML_ASSERT(opened.has_value());
  node_ = std::move(*opened);
  path_ = path;
}

Result<std::unique_ptr<admin::Node>> HistoryNode::open_copy(const std::string& path) {
  return admin::Node::open(small(path), clock_, secrets_, events_);
}

std::string HistoryNode::new_path() {
  return directory_.file(fmt::format("data{}", ++paths_)).string();
}

Hashes HistoryNode::files_named() const {
  Hashes hashes;
  const engine::StatePtr now = state();
  now->catalog.imports.for_each([&](std::uint64_t, const engine::ImportRecord& record) {
    hashes.insert(to_hex(record.file_hash));
  });
  now->catalog.plans.for_each(
      [&](std::uint64_t, const engine::KeptPlan& plan) { hashes.insert(to_hex(plan.file_hash)); });
  return hashes;
}

Hashes HistoryNode::files_there() const {
  Hashes hashes;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(path_) / "uploads"))
    hashes.insert(std::string(wal::hash_in_name(entry.path().filename().string())));
  return hashes;
}

std::unique_ptr<admin::ImportJob> HistoryNode::job(const PlainFile& file,
                                                   admin::ImportPlace place) {
  admin::ImportRequest request;
  request.place = place;
  return admin::testing::import_job(*node_, file.xml(), request);
}

admin::ImportOutcome HistoryNode::import(const PlainFile& file, admin::ImportPlace place) {
  return job(file, place)->commit();
}

admin::ImportOutcome HistoryNode::plan(const PlainFile& file) {
  return job(file, admin::ImportPlace::top_level)->keep_plan();
}

Result<Lsn> HistoryNode::edit(const PlanEdit& plan) {
  Change change{.caller = kCaller, .cause = engine::Cause::edit};
  change.plan = [&](const engine::State& now, WallTime) { return plan(now); };
  return node_->commit(std::move(change));
}

Result<Lsn> HistoryNode::enable_own_rules(bool enabled) {
  return edit([&](const engine::State& now) -> Result<engine::Transaction> {
    std::uint64_t own = 0;
    now.catalog.rulesets.for_each([&](std::uint64_t number, const engine::Ruleset& each) {
      if (each.name == kOwnRuleset) own = number;
    });
    engine::Ruleset ruleset = *now.catalog.rulesets.find(own);
    ruleset.enabled = enabled;
    return plan_ruleset_put(now, own, std::move(ruleset));
  });
}

Result<admin::RulesOutcome> HistoryNode::run_own_rule(std::size_t rule) {
  std::uint64_t wanted = 0;
  const engine::StatePtr now = state();
  now->catalog.rules.for_each([&](std::uint64_t number, const engine::Rule& each) {
    if (each.name == kOwnRules[rule]) wanted = number;
  });
  return admin::Rules(*node_).apply(kCaller, {.rule = wanted, .ruleset = {}});
}

Result<admin::UndoResult> HistoryNode::undo(const std::string& what, bool force) {
  admin::Audit audit(*node_);
  return admin::Undo(*node_, audit)
      .undo(kCaller, what,
            force ? engine::UndoForce::overwrite : engine::UndoForce::leave_conflicts);
}

Status HistoryNode::retain() {
  return admin::Retention(*node_).tidy();
}

std::string HistoryNode::exported(admin::Node& node, const admin::Version& version) {
  admin::Publisher publisher(node);
  admin::Views views(node);
  admin::Exporter exporter(node, publisher, views, 0);
  const auto opened = exporter.open_root(version);
  if (!opened) return {};
  std::string text;
  net::BodySource& source = *std::get<net::StreamBody>(opened->body).source;
  while (true) {
    const auto piece = source.next();
    NETML_ASSERT(piece.has_value());
    if (piece->empty()) return text;
    text += *piece;
  }
}

Status HistoryNode::back_up(const std::string& file) {
  NETML_TRY(const auto backup, node_->backup());
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  while (true) {
    NETML_TRY(const auto piece, backup->next());
    if (piece.empty()) return {};
    out.write(reinterpret_cast<const char*>(piece.data()),
              static_cast<std::streamsize>(piece.size()));
  }
}

Status HistoryNode::go_on_from(const std::string& backup) {
  admin::cli::RestoreOptions options;
  options.file = backup;
  options.into = new_path();
  admin::cli::NoProgress progress;
  NETML_TRY_VOID(admin::restore_backup(options, progress));
  const std::string old = path_;
  open(options.into);
  std::filesystem::remove_all(old);
  std::filesystem::remove(backup);
  return {};
}

}  // namespace netml::test
