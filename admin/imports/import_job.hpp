// One import: bytes in, an import record out (docs/requirements/importing.md, sections 2 and 3).
// The file is read while it arrives, kept for audit under its hash, planned on the version before
// it and committed with its record in one transaction. A file that is refused is kept, too: its
// record names it. One that is known, in a state that is known, is neither stored nor read
// (docs/decisions/011-known-files.md); nobody can tell from what comes of it.
//
// Thread: one ImportJob belongs to one caller.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "admin/imports/import_progress.hpp"
#include "admin/imports/import_request.hpp"
#include "admin/imports/known_files.hpp"
#include "admin/node/spool.hpp"
#include "codecs/formats/file_format.hpp"
#include "engine/import/changed_file.hpp"

namespace netml::admin {

class ImportFile;

// What the log of a plan says; `before` is the graph that it was planned on.
ImportResult planned_result(const engine::Graph& before, const engine::ImportPlan& plan);

// What a file is, as its sender says (codecs/formats/read_as.hpp), or by its name.
// Errc::invalid_input, in the words of every way to import, also where it cannot be read so.
Result<const codecs::FileFormat*> import_format(std::string_view read_as,
                                                std::string_view file_name);
// What a request says of how it is read. Errc::invalid_input for an update that names no topology
// to update, or says what no update can; for a spreadsheet that is to be a map and has no name.
Status check_request(const codecs::FileFormat& format, const ImportRequest& request);

// One file on its way into the node. Dropped unfinished, it leaves nothing behind.
//
// Where there is too little memory to read it now, the file is stored, and read when there is
// enough; where there never can be, or it runs out all the same, the import is refused with
// Errc::too_large, and leaves no record.
class ImportJob {
 public:
  // Without `known`, each file is read.
  static Result<std::unique_ptr<ImportJob>> begin(Node& node, ImportRequest request,
                                                  ReadWhen when = ReadWhen::arriving,
                                                  std::shared_ptr<KnownFiles> known = nullptr);
  // The import that the record in progress `number` stands for; its file is kept. Errc::not_found
  // when no such record waits (any more); Errc::corruption when the file is not the one that was
  // accepted.
  static Result<std::unique_ptr<ImportJob>> resume(Node& node, std::uint64_t number,
                                                   std::shared_ptr<KnownFiles> known = nullptr);
  // The import that the stored plan `number` is about. It does exactly what was planned, or
  // nothing: Errc::conflict, and no record. Errors as those of resume().
  static Result<std::unique_ptr<ImportJob>> of_plan(Node& node, const Caller& caller,
                                                    std::uint64_t number);

  // An import that is done, to be planned once more as at `time` below that topology, or at the top
  // level; never to be committed. Errors as those of resume(), and Errc::not_found when its file is
  // kept no longer.
  static Result<std::unique_ptr<ImportJob>> once_more(Node& node,
                                                      const engine::ImportRecord& record,
                                                      RecordId parent, Instant time);

  // What the stored file of an import, or of a plan, says and the map does not hold: the file is
  // read once more. Errors as those of resume(), and Errc::not_found when it is kept no longer.
  static Result<engine::LossList> losses_of(Node& node, const engine::ImportRecord& record);
  static Result<engine::LossList> losses_of(Node& node, const engine::KeptPlan& plan);

  ~ImportJob();

  // False when the file cannot be accepted any more, so that sending the rest is of no use.
  bool write(std::string_view bytes);
  // An error once the memory does not suffice, from the beginning or later, which ends the import.
  const Status& reading() const;

  // Tells how far it is from now on; `progress` outlives the job. For one that was resumed.
  void report_to(ImportProgress& progress) { progress_ = &progress; }
  // What the file says about its place may arrive after it.
  ImportRequest& request() { return request_; }
  const ImportRequest& request() const { return request_; }
  // Of all that was written. Errc::io_error when it could not be stored.
  Result<Sha256> file_hash();
  std::uint64_t file_bytes();
  // The file is kept for audit, durably.
  Result<SpooledFile> store();
  // What is known of the import before it was tried.
  engine::ImportRecord record(const SpooledFile& file) const {
    auto record = entry<engine::ImportRecord>(file);
    record.changes_of = changes_of_;
    return record;
  }
  // As its sender says, or its name.
  const codecs::FileFormat& format() const;
  // A spreadsheet without a name for its topology.
  bool lacks_name() const;

  // Returns when the import is durable and visible, or refused. One that would delete more than the
  // settings allow, or change what its source may not, is refused with Errc::conflict, and held as
  // a plan.
  ImportOutcome commit(const AlsoChange& also = {});
  // The same of a file that says only what changed since others, which it is kept as; it must not
  // have been read. Nothing where the whole file must be read to know: then nothing has happened.
  std::optional<ImportOutcome> commit_changes(const engine::FileChanges& changes,
                                              std::vector<std::string> changes_of,
                                              const AlsoChange& also);
  // What commit() would do, without doing it.
  ImportOutcome dry_run();
  // The same, and keeps it as a plan with its file (docs/import-plans.md).
  ImportOutcome keep_plan();

  // Of a job that is of a plan: what plan() gave on `state` takes the place of what was planned,
  // under the same number. Errc::not_found when the plan is gone.
  Result<ImportResult> renew_plan(const engine::State& state, const engine::ImportPlan& plan);

  // The steps of it all. What the file says; once.
  tl::expected<FileContent, ImportFailure> read();
  // Where an update does not fit `state`, `errors` has all that is wrong.
  Result<engine::ImportPlan> plan(const engine::State& state, const FileContent& content,
                                  engine::InputErrors& errors) const;

 private:
  ImportJob(Node& node, ImportRequest request);
  // Of a file that was stored before, by what a record or a plan holds of its import.
  template <class Entry>
  static Result<std::unique_ptr<ImportJob>> of_kept_file(Node& node, const Entry& entry,
                                                         Caller caller);
  template <class Entry>
  static Result<engine::LossList> losses_of_file(Node& node, const Entry& entry);
  // What records and plans hold alike.
  template <class Entry>
  Entry entry(const SpooledFile& file) const {
    Entry entry;
    entry.source = request_.source;
    entry.name = request_.file_name;
    entry.token_client_name = request_.token_client_name;
    entry.token = request_.token;
    entry.topology_name = request_.topology_name;
    entry.format = request_.format;
    entry.owner = request_.owner;
    entry.file_hash = file.hash;
    entry.file_bytes = file.bytes;
    return entry;
  }

  // What may be the file that begins, by its origin and its length.
  std::shared_ptr<const KnownUpload> likely_file() const;
  ImportOutcome commit_now(const AlsoChange& also);
  void note_end(const ImportOutcome& outcome, std::chrono::nanoseconds began);
  void report(const ImportOutcome& outcome, std::chrono::nanoseconds took);
  // What would come of it if it were read, without that; nothing when it must be.
  std::optional<ImportOutcome> commit_known(const AlsoChange& also);
  Result<engine::ImportPlan> plan_known(const engine::State& state, const KnownUpload& known) const;
  std::optional<ImportOutcome> commit_changes_now(const engine::FileChanges& changes,
                                                  const AlsoChange& also);
  Result<engine::ImportPlan> plan_changed(const engine::State& state, const KnownUpload& known,
                                          const engine::FileChanges& changes) const;
  bool can_be_kept_so(const engine::FileChanges& changes, const KnownUpload& known) const;
  bool is_of_request(const KnownUpload& known) const;
  using PlanOn = std::function<Result<engine::ImportPlan>(const engine::State&)>;
  Result<ImportResult> try_commit(const SpooledFile& file, const PlanOn& plan_on,
                                  const AlsoChange& also);
  ImportOutcome concluded(const SpooledFile& file, Result<ImportResult> tried,
                          const AlsoChange& also);
  Result<engine::ImportOptions> options_on(const engine::State& state,
                                           const engine::Document& document) const;
  Result<RecordId> parent_in(const engine::Graph& graph, const engine::Document& document) const;
  // plan(), within the memory that there is.
  Result<engine::ImportPlan> plan_now(const engine::State& state, const FileContent& content);
  Result<RecordId> named_parent(const engine::Graph& graph) const;
  Result<RecordId> updated_topology(const engine::Graph& graph) const;
  // Of a job that applies a plan: the plan is used up. Errc::conflict when it would do another
  // thing.
  Status use_plan(const engine::State& state, engine::Transaction& transaction) const;
  // Errc::conflict when the import is held, by the source's authority, the mass-deletion guard or a
  // redundancy policy; then `held_` is the plan to be kept.
  Status guard(const engine::State& state, engine::ImportPlan& plan, const SpooledFile& file);
  // What policies say is noted in the log of the plan.
  Result<std::optional<std::string>> reason_to_hold(const engine::State& state,
                                                    engine::ImportPlan& plan) const;
  // Its counts are of elements, as its list has them.
  Result<engine::KeptPlan> kept_plan(const engine::State& state, const engine::ImportPlan& plan,
                                     const SpooledFile& file) const;
  Result<std::uint64_t> finish_with(engine::Transaction& transaction, const engine::State& state,
                                    engine::ImportRecord record) const;
  bool ends_with(Errc code) const;
  ImportFailure failure(const Error& error) const;
  ImportFailure refuse(const SpooledFile& file, ImportFailure failure, const AlsoChange& also);
  void hold(engine::Transaction& transaction, const engine::State& state, WallTime now,
            engine::ImportRecord& aborted, ImportFailure& failure);
  Caller caller() const;
  void tell(ImportStep step, std::uint64_t done, std::uint64_t total) const;

  Node& node_;
  ImportRequest request_;
  std::unique_ptr<ImportFile> file_;
  std::uint64_t record_in_progress_ = 0;  // of a file that was accepted before
  ImportProgress* progress_ = nullptr;
  std::shared_ptr<KnownFiles> known_;          // null: none is known
  std::shared_ptr<const KnownUpload> likely_;  // that the file was compared with
  std::vector<std::string> changes_of_;        // what the file says only changes of; else empty
  std::optional<Instant> time_;                // that it is planned for; none: now
  std::uint64_t plan_ = 0;                     // the plan that is applied
  std::optional<engine::KeptPlan> held_;       // the plan that the guard made of the import
  engine::InputErrors misfits_;                // why an update does not fit
};

}  // namespace netml::admin
