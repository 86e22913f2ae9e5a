// A node as a random history uses it: the services of the program on a data directory of its own,
// with small segments and no space taken in advance.
//
// Thread: one.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "admin/history/undo.hpp"
#include "admin/imports/import_job.hpp"
#include "admin/imports/import_plans.hpp"
#include "admin/settings/rules.hpp"
#include "engine/edit/plan_records.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/histories/plain_import.hpp"

namespace netml::test {

using Hashes = std::set<std::string>;

class HistoryNode {
 public:
  explicit HistoryNode(std::uint64_t seed);

  // ---- what it holds ----
  admin::Node& operator*() { return *node_; }
  admin::Node* operator->() { return node_.get(); }
  engine::StatePtr state() const { return node_->version().state; }
  Lsn head() const { return state()->lsn; }
  std::string chain() const { return node_->version().head; }
  testing::ManualClock& clock() { return clock_; }
  Hashes files_named() const;  // by imports and plans
  Hashes files_there() const;

  // ---- what is done with it ----
  admin::ImportOutcome import(const PlainFile& file, admin::ImportPlace place);
  admin::ImportOutcome plan(const PlainFile& file);
  using PlanEdit = std::function<Result<engine::Transaction>(const engine::State&)>;
  Result<Lsn> edit(const PlanEdit& plan);
  Result<Lsn> enable_own_rules(bool enabled);
  Result<admin::RulesOutcome> run_own_rule(std::size_t rule);
  Result<admin::UndoResult> undo(const std::string& what, bool force);
  Status retain();
  // "" when it cannot be exported.
  static std::string exported(admin::Node& node, const admin::Version& version);

  // Closes it and opens it again.
  void restart() { open(path_); }
  // Opens a copy for a while: of the past, or restored from a backup.
  Result<std::unique_ptr<admin::Node>> open_copy(const std::string& path);
  std::string new_path();
  Status back_up(const std::string& file);
  // The history goes on in what is restored from the file.
  Status go_on_from(const std::string& backup);

 private:
  void open(const std::string& path);
  std::unique_ptr<admin::ImportJob> job(const PlainFile& file, admin::ImportPlace place);

  testing::SeededRandom secrets_;
  testing::ManualClock clock_;
  admin::testing::KeptEvents events_;
  TemporaryDirectory directory_{memory_disk()};
  std::string path_;
  int paths_ = 0;
  std::unique_ptr<admin::Node> node_;
};

using admin::testing::kCaller;
inline constexpr int kDaysKept = 30;  // of import records

}  // namespace netml::test
