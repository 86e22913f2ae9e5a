// One import: bytes in, an import record out (docs/requirements/importing.md, sections 2 and 3).
// The file is read while it arrives, kept for audit under its hash, planned on the version before
// it and committed with its record in one transaction. A file that is refused is kept, too: its
// record names it.
//
// Thread: one ImportJob belongs to one caller.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "admin/imports/import_progress.hpp"
#include "admin/node/node.hpp"
#include "admin/node/spool.hpp"
#include "codecs/formats/file_format.hpp"
#include "codecs/netml/netml_reader.hpp"
#include "engine/export/topology_moves.hpp"
#include "engine/import/plan_import.hpp"
#include "wal/storage/storage.hpp"

namespace netml::admin {

// Where an import without a parent goes.
enum class ImportPlace : std::uint8_t {
  below_main,
  top_level,
  where_it_is,  // a network that is known stays in its place; another goes below the main one
};

struct ImportFailure;

// How an import ended, as the transaction sees it that leaves its record.
struct ImportEnding {
  WallTime now;
  std::uint64_t record = 0;
  const ImportFailure* failure = nullptr;  // none when it was done
  RecordId root;                           // of an import that was done
  RecordId parent;
};
using AlsoChange =
    std::function<void(engine::Transaction&, const engine::State&, const ImportEnding&)>;

struct ImportRequest {
  Caller caller;
  engine::ImportSource source = engine::ImportSource::api;
  std::string file_name;              // as the client gave it; decides the format
  std::uint64_t token = 0;            // table number; 0 = none
  std::string token_client_name;      // of that token
  std::optional<std::string> parent;  // number or identifier
  RecordId parent_record;             // instead, when it was looked up before
  ImportPlace place = ImportPlace::below_main;
  std::string topology_name;     // new name of the file's root; empty = as in the file, which a
                                 // spreadsheet does not tell
  std::optional<WallTime> date;  // effective time, if not now
  std::uint64_t file_bytes = 0;  // about, where it is known before; memory is reserved for it
  // The mass-deletion guard, where it is not that of the settings.
  std::optional<std::uint64_t> deletions_max;
  std::optional<std::uint64_t> deletion_percent_max;
  std::uint64_t polled_source = 0;  // whose authority bounds what may change; 0 = no poll
  // What changes in the same transaction. Called on the writer's thread, perhaps more than once.
  AlsoChange also;
};

struct ImportResult {
  std::uint64_t record = 0;  // number of the import record; 0 for a dry run
  Lsn lsn;                   // 0 for a dry run
  engine::ImportStatus status = engine::ImportStatus::complete;
  std::string log;
  std::array<engine::ImportCounts, kKindCount> counts{};
  engine::ChangeCounts changes;
  std::vector<engine::TopologyMove> moves;  // topologies that get another parent
  std::uint64_t plan = 0;                   // number of the plan that was kept instead
};

// What the log of a plan says; `before` is the graph that it was planned on.
ImportResult planned_result(const engine::Graph& before, const engine::ImportPlan& plan);

// Why nothing was imported. `errors` when the file is not valid.
struct ImportFailure {
  Error error;
  engine::InputErrors errors;
  std::uint64_t record = 0;  // of the aborted import, when one was made
  std::uint64_t plan = 0;    // that it is held as, for an administrator
  bool no_memory = false;    // neither now nor later
};

using ImportOutcome = tl::expected<ImportResult, ImportFailure>;

// What a file is by its name. Errc::invalid_input, in the words of every way to import.
Result<codecs::FileFormat> import_format(std::string_view file_name);
// A spreadsheet names no topology itself. Errc::invalid_input.
Status check_topology_name(codecs::FileFormat format, std::string_view topology_name);

// One file on its way into the node. Dropped unfinished, it leaves nothing behind.
//
// It holds memory for what it reads in the budget of the node. Where there is too little now, the
// file is stored, and read when there is; where there can never be enough, or it runs out all the
// same, the import is refused with Errc::too_large, and leaves no record.
class ImportJob {
 public:
  static Result<std::unique_ptr<ImportJob>> begin(Node& node, ImportRequest request);
  // The import that the record in progress `number` stands for; its file is kept. Errc::not_found
  // when no such record waits (any more); Errc::corruption when the file is not the one that was
  // accepted.
  static Result<std::unique_ptr<ImportJob>> resume(Node& node, std::uint64_t number);
  // The import that the kept plan `number` is about. It does exactly what was planned, or nothing:
  // Errc::conflict, and no record. Errors as those of resume().
  static Result<std::unique_ptr<ImportJob>> of_plan(Node& node, const Caller& caller,
                                                    std::uint64_t number);

  // False when the file cannot be accepted any more, so that sending the rest is of no use.
  bool write(std::string_view bytes);
  // An error once the memory does not suffice, from the beginning or later, which ends the import.
  const Status& reading() const { return reading_; }

  // Tells how far it is from now on; `progress` outlives the job. For one that was resumed.
  void report_to(ImportProgress& progress) { progress_ = &progress; }
  // What the file says about its place may arrive after it.
  ImportRequest& request() { return request_; }
  // Of all that was written. Errc::io_error when it could not be stored.
  Result<Sha256> file_hash();
  // A spreadsheet without a name for its topology.
  bool lacks_name() const { return is_workbook() && request_.topology_name.empty(); }

  // Returns when the import is durable and visible, or refused. One that would delete more than the
  // settings allow, or change what its source may not, is refused with Errc::conflict, and held as
  // a plan.
  ImportOutcome commit();
  // What commit() would do, without doing it.
  ImportOutcome dry_run();
  // The same, and keeps it as a plan with its file (docs/import-plans.md).
  ImportOutcome keep_plan();

  // Of a job that is of a plan: what plan() gave on `state` takes the place of what was planned,
  // under the same number. Errc::not_found when the plan is gone.
  Result<ImportResult> renew_plan(const engine::State& state, const engine::ImportPlan& plan);

  // The steps of it all. What the file says; once.
  tl::expected<engine::Document, ImportFailure> read();
  Result<engine::ImportPlan> plan(const engine::State& state,
                                  const engine::Document& document) const;

 private:
  ImportJob(Node& node, ImportRequest request)
      : node_(node),
        request_(std::move(request)),
        memory_(node.memory().account(MemoryUse::imports, 0)) {}
  bool is_workbook() const;
  void make_reader();
  // Memory for what was written so far and a little more; without it the file is read later.
  Status claim();
  // Memory for the whole file, waiting for it.
  Status claim_all();
  Status read_written(std::string_view bytes);
  void give_up(Error error);
  void lacks_memory(Error error);
  // plan(), within the memory that there is.
  Result<engine::ImportPlan> plan_now(const engine::State& state, const engine::Document& document);
  ImportFailure failure(const Error& error) const;
  Caller caller() const;
  Result<std::uint64_t> finish_with(engine::Transaction& transaction, const engine::State& state,
                                    engine::ImportRecord record) const;
  bool ends_with(Errc code) const;
  Result<SpooledFile> spooled();
  Result<SpooledFile> store();

  void tell(ImportStep step, std::uint64_t done, std::uint64_t total) const;
  Status use_kept_file(const SpooledFile& accepted);
  Status feed_stored_file();
  codecs::ReadResult parse();
  Result<RecordId> parent_in(const engine::Graph& graph, const engine::Document& document) const;
  // Of a job that applies a plan: the plan is used up. Errc::conflict when it would do another
  // thing.
  Status use_plan(const engine::State& state, engine::Transaction& transaction) const;
  // Errc::conflict when the import is held, by the source's authority or the mass-deletion guard;
  // then `held_` is the plan to be kept.
  Status guard(const engine::State& state, const engine::ImportPlan& plan, const SpooledFile& file);
  std::optional<std::string> reason_to_hold(const engine::State& state,
                                            const engine::ImportPlan& plan) const;
  // Its counts are of elements, as its list has them.
  Result<engine::KeptPlan> kept_plan(const engine::State& state, const engine::ImportPlan& plan,
                                     const SpooledFile& file) const;
  engine::ImportRecord record(const SpooledFile& file) const;
  ImportFailure refuse(const SpooledFile& file, ImportFailure failure);
  void hold(engine::Transaction& transaction, const engine::State& state, WallTime now,
            engine::ImportRecord& aborted, ImportFailure& failure);

  Node& node_;
  ImportRequest request_;
  MemoryReservation memory_;
  Status reading_;
  std::uint64_t written_ = 0;
  std::uint64_t looked_at_ = 0;           // how much was written when the system was asked last
  bool put_off_ = false;                  // read once it is stored
  std::unique_ptr<Spool> spool_;          // one of the two
  std::unique_ptr<wal::File> kept_;       // of a file that was stored before
  std::uint64_t record_in_progress_ = 0;  // of that, too
  ImportProgress* progress_ = nullptr;
  std::uint64_t plan_ = 0;                // the plan that is applied
  std::optional<engine::KeptPlan> held_;  // the plan that the guard made of the import
  std::optional<SpooledFile> spooled_;    // once all was written
  std::optional<SpooledFile> stored_;     // once it is kept
  // None for spreadsheets, whose directory comes last; and while there is no memory for it.
  std::optional<codecs::NetmlReader> reader_;
};

}  // namespace netml::admin
