#include "admin/imports/import_job.hpp"

#include <fmt/format.h>

#include "admin/base/import_memory.hpp"
#include "admin/node/kept_file.hpp"
#include "admin/settings/settings.hpp"
#include "codecs/xlsx/xlsx_reader.hpp"
#include "engine/base/counted.hpp"
#include "engine/base/guarded.hpp"
#include "engine/edit/plan_edit.hpp"
#include "engine/import/deletions.hpp"
#include "engine/import/source_authority.hpp"
#include "engine/transaction/difference.hpp"
#include "engine/transaction/planned_effects.hpp"
#include "net/http/http.hpp"

namespace netml::admin {

namespace {

// A spooled file, read here and there.
class SpooledBytes final : public codecs::RandomAccessFile {
 public:
  explicit SpooledBytes(Spool& spool) : spool_(spool), size_(spool.size()) {}
  std::uint64_t size() const override { return size_; }
  Status read_at(std::uint64_t offset, std::span<std::byte> out) override {
    return spool_.read(offset, out);
  }

 private:
  Spool& spool_;
  const std::uint64_t size_;
};

// Of a file that cannot be read (docs/requirements/http-api.md, section 9): one line for one error,
// and one for each further one.
std::string all_texts(const std::string& file_name, const engine::InputErrors& errors) {
  std::string text = codecs::format_of(file_name) == codecs::FileFormat::xlsx
                         ? "Error importing XLSX file.  Error reading the workbook: "
                         : "Error importing XML file.  Error parsing the XML stream: ";
  std::string_view separator;
  for (const engine::InputError& error : errors.first) {
    text.append(separator).append(error.text());
    separator = "\n";
  }
  if (errors.count > errors.first.size())
    text += fmt::format("\n{} more errors", errors.count - errors.first.size());
  return text;
}

// Its numbers were those of the file when it was held.
std::string held_then(const std::string& because) {
  constexpr std::string_view kThen = "when it was held: ";
  return because.empty() || because.starts_with(kThen) ? because
                                                       : fmt::format("{}{}", kThen, because);
}

}  // namespace

ImportResult planned_result(const engine::Graph& before, const engine::ImportPlan& plan) {
  ImportResult result;
  result.status = plan.log.status();
  result.counts = plan.log.counts();
  result.log = plan.log.text();
  result.changes = count_changes(plan.transaction);
  result.moves = topology_moves(before, plan.transaction);
  return result;
}

Result<std::unique_ptr<ImportJob>> ImportJob::begin(Node& node, ImportRequest request) {
  const std::uint64_t bytes = import_memory_bytes(request.file_name, request.file_bytes);
  std::unique_ptr<ImportJob> job(new ImportJob(node, std::move(request)));
  job->reading_ = node.memory().check_possible(bytes);
  const bool claimed =
      job->reading_ &&
      node.memory().grow(job->memory_,
                         import_document_bytes(job->request_.file_name, job->request_.file_bytes));
  NETML_TRY(job->spool_, Spool::create(node.directory(), node.random(), node.memory()));
  job->put_off_ = !claimed;
  if (claimed) job->make_reader();
  return job;
}

Result<std::unique_ptr<ImportJob>> ImportJob::resume(Node& node, std::uint64_t number) {
  const auto record = node.version().state->catalog.imports.find(number);
  if (record == nullptr || record->status != engine::ImportStatus::in_progress)
    return fail(Errc::not_found, fmt::format("import {} is not in progress", number));
  ImportRequest request;
  request.caller = {engine::ActorKind::token, record->token_client_name, "queue", {}};
  request.source = record->source;
  request.file_name = record->name;
  request.token = record->token;
  request.token_client_name = record->token_client_name;
  request.parent_record = record->parent_topology;
  if (record->source == engine::ImportSource::admin) {  // an account sent it from the site
    request.caller.kind = engine::ActorKind::account;
    request.place = ImportPlace::top_level;  // where there is no parent
  }
  request.topology_name = record->topology_name;
  std::unique_ptr<ImportJob> job(new ImportJob(node, std::move(request)));
  job->record_in_progress_ = number;
  NETML_TRY_VOID(job->use_kept_file({{}, record->file_hash, record->file_bytes}));
  return job;
}

Result<std::unique_ptr<ImportJob>> ImportJob::of_plan(Node& node, const Caller& caller,
                                                      std::uint64_t number) {
  NETML_TRY(const auto plan, find_kept_plan(node.version().state->catalog, number));
  ImportRequest request;
  request.caller = caller;
  request.source = plan->source;
  request.file_name = plan->name;
  request.token = plan->token;
  request.token_client_name = plan->token_client_name;
  request.parent_record = plan->parent_topology;
  request.place = ImportPlace::top_level;  // where there is no parent
  request.topology_name = plan->topology_name;
  std::unique_ptr<ImportJob> job(new ImportJob(node, std::move(request)));
  job->plan_ = number;
  NETML_TRY_VOID(job->use_kept_file({{}, plan->file_hash, plan->file_bytes}));
  return job;
}

Status ImportJob::use_kept_file(const SpooledFile& accepted) {
  stored_ = accepted;
  NETML_TRY(kept_, open_kept_file(node_, accepted));
  put_off_ = true;
  return {};
}

// What was not read when it was written.
Status ImportJob::feed_stored_file() {
  if (!std::exchange(put_off_, false)) return {};
  make_reader();
  if (!reader_) return {};
  std::uint64_t done = 0;
  Status room;
  const auto take = [&](std::span<const std::byte> piece) {
    reader_->feed(piece);
    done += piece.size();
    if (kept_) tell(ImportStep::reading, done, stored_->bytes);
    room = node_.memory().check_room();
    return room.has_value();
  };
  NETML_TRY_VOID(kept_ ? replay_kept_file(*kept_, take) : spool_->replay(take));
  return room;
}

void ImportJob::tell(ImportStep step, std::uint64_t done, std::uint64_t total) const {
  if (progress_ != nullptr) progress_->set({record_in_progress_, step, done, total});
}

bool ImportJob::is_workbook() const {
  return codecs::format_of(request_.file_name) == codecs::FileFormat::xlsx;
}

void ImportJob::make_reader() {
  if (is_workbook()) return;
  const codecs::ReplaySource replay = [this](const codecs::ByteSink& take) {
    return kept_ ? replay_kept_file(*kept_, take) : spool_->replay(take);
  };
  reader_.emplace(node_.file_limits().xml, codecs::ReadOptions{.replay = replay});
}

bool ImportJob::write(std::string_view bytes) {
  if (!reading_) return false;
  reading_ = guarded([&] { return read_written(bytes); }, Errc::too_large);
  if (!reading_) give_up(reading_.error());
  if (put_off_) memory_.set(0);
  return reading_ && !(reader_ && reader_->stopped());
}

// Nothing is read any more.
void ImportJob::give_up(Error error) {
  reader_.reset();
  memory_.set(0);
  if (error.code == Errc::too_large) lacks_memory(std::move(error));
}

// An allocation that failed is told with the numbers.
void ImportJob::lacks_memory(Error error) {
  reading_ = tl::unexpected(std::move(error));
  if (!is_out_of_memory(reading_.error())) return;
  reading_ = guarded([&]() -> Status { return node_.memory().ran_out(); }, Errc::too_large);
}

Status ImportJob::read_written(std::string_view bytes) {
  NETML_TRY_VOID(spool_->write(bytes));
  written_ += bytes.size();
  if (reader_) NETML_TRY_VOID(claim());
  if (reader_) reader_->feed(std::as_bytes(std::span(bytes)));
  return {};
}

Status ImportJob::claim() {
  constexpr std::uint64_t kAskedAgain = 1 << 20;
  if (written_ - looked_at_ >= kAskedAgain) {
    looked_at_ = written_;
    NETML_TRY_VOID(node_.memory().check_room());
  }
  const std::uint64_t taken = import_document_bytes(request_.file_name, written_);
  if (taken <= memory_.bytes()) return {};
  NETML_TRY_VOID(node_.memory().check_possible(import_memory_bytes(request_.file_name, written_)));
  if (node_.memory().grow(memory_, taken + taken / 8)) return {};
  reader_.reset();
  put_off_ = true;
  return {};
}

Status ImportJob::claim_all() {
  constexpr std::chrono::seconds kPatience{10};
  const std::uint64_t size = kept_ ? stored_->bytes : spool_->size();
  const std::uint64_t bytes = import_document_bytes(request_.file_name, size);
  MemoryBudget& budget = node_.memory();
  NETML_TRY_VOID(budget.check_possible(import_memory_bytes(request_.file_name, size)));
  if (reader_ || bytes <= memory_.bytes()) return budget.grow(memory_, bytes);
  // One that is queued keeps its place, and is tried again.
  const bool waits = record_in_progress_ == 0;
  memory_.set(0);
  NETML_TRY(memory_, budget.reserve_within(waits ? kPatience : std::chrono::seconds(0),
                                           MemoryUse::imports, bytes));
  return {};
}

Result<codecs::FileFormat> import_format(std::string_view file_name) {
  if (const auto format = codecs::format_of(file_name)) return *format;
  return fail(Errc::invalid_input,
              fmt::format("file: {} cannot be imported; the name must end in {}",
                          net::excerpt(file_name), codecs::kAcceptedNames));
}

Status check_topology_name(codecs::FileFormat format, std::string_view topology_name) {
  if (format != codecs::FileFormat::xlsx || !topology_name.empty()) return {};
  return fail(Errc::invalid_input,
              "topology_name: a spreadsheet does not name its topology; give a "
              "name for it (netml import: --name)");
}

Result<RecordId> ImportJob::parent_in(const engine::Graph& graph,
                                      const engine::Document& document) const {
  if (request_.parent) return engine::find_topology(graph, *request_.parent);
  if (request_.parent_record) {
    if (graph.contains(request_.parent_record)) return request_.parent_record;
    return fail(Errc::conflict, "the parent topology was deleted before the import began");
  }
  switch (request_.place) {
    case ImportPlace::top_level:
      return RecordId{};
    case ImportPlace::where_it_is:
      return engine::present_parent(graph, document);
    case ImportPlace::below_main:
      break;
  }
  return engine::default_parent(graph);
}

Result<engine::ImportPlan> ImportJob::plan(const engine::State& state,
                                           const engine::Document& document) const {
  engine::ImportOptions options;
  options.collisions = engine::CollisionPolicy::by_rules;
  NETML_TRY(options.parent, parent_in(state.graph, document));
  options.propagate_topology_deletion =
      setting_value(state.catalog, kTopologyDeletionPropagation, node_.mode()) == "On";
  return plan_import(state, document, options);
}

engine::ImportRecord ImportJob::record(const SpooledFile& file) const {
  engine::ImportRecord record;
  record.source = request_.source;
  record.name = request_.file_name;
  record.token_client_name = request_.token_client_name;
  record.token = request_.token;
  record.topology_name = request_.topology_name;
  record.file_hash = file.hash;
  record.file_bytes = file.bytes;
  return record;
}

codecs::ReadResult ImportJob::parse() {
  if (is_workbook()) {
    const codecs::XlsxOptions options{.topology_name = request_.topology_name,
                                      .limits = node_.file_limits().xlsx};
    if (kept_) {
      KeptFile file(*kept_, stored_->bytes);
      return codecs::read_xlsx(file, options);
    }
    SpooledBytes file(*spool_);
    return codecs::read_xlsx(file, options);
  }
  codecs::ReadResult read = reader_->finish();
  if (read && !request_.topology_name.empty()) rename_root(*read, request_.topology_name);
  return read;
}

tl::expected<engine::Document, ImportFailure> ImportJob::read() {
  std::optional<codecs::ReadResult> parsed;
  const auto steps = [&]() -> Status {
    NETML_TRY_VOID(reading_);
    NETML_TRY_VOID(claim_all());
    NETML_TRY_VOID(feed_stored_file());
    parsed = parse();
    return {};
  };
  if (const Status done = guarded(steps, Errc::too_large); !done) {
    give_up(done.error());
    return tl::unexpected(failure(reading_ ? done.error() : reading_.error()));
  }
  codecs::ReadResult& read = *parsed;
  if (!read) {
    ImportFailure failure;
    failure.error = {Errc::invalid_input, fmt::format("{} is not valid: {}", request_.file_name,
                                                      counted(read.error().count, "error"))};
    failure.errors = std::move(read.error());
    return tl::unexpected(std::move(failure));
  }
  return std::move(*read);
}

// An import that failed leaves a record and nothing else.
ImportFailure ImportJob::refuse(const SpooledFile& file, ImportFailure failure) {
  engine::ImportRecord aborted = record(file);
  aborted.status = engine::ImportStatus::aborted;
  aborted.message = failure.errors.count > 0 ? all_texts(request_.file_name, failure.errors)
                                             : engine::aborted_import_text(failure.error.message);
  Change change{.caller = caller(), .cause = engine::Cause::failed_import, .file_hash = file.hash};
  // It had no effect, so the rest of a series of dated imports may still follow (decision 19).
  if (request_.date) change.effective_time = node_.version().state->effective_time;
  change.plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    engine::Transaction transaction = engine::empty_transaction(state);
    aborted.imported_at = now.instant();
    if (held_) hold(transaction, state, now, aborted, failure);
    NETML_TRY(failure.record, finish_with(transaction, state, aborted));
    if (request_.also)
      request_.also(
          transaction, state,
          {.now = now, .record = failure.record, .failure = &failure, .root = {}, .parent = {}});
    return transaction;
  };
  const Result<Lsn> lsn = node_.commit(std::move(change));
  if (!lsn)
    failure.record = failure.plan =
        0;  // the refusal itself stands, whether or not it could be noted
  return failure;
}

// The plan is kept in the transaction that tells why the import was not done. A peer that is polled
// again before somebody has looked makes no second one.
void ImportJob::hold(engine::Transaction& transaction, const engine::State& state, WallTime now,
                     engine::ImportRecord& aborted, ImportFailure& failure) {
  const std::uint64_t waiting = state.catalog.plans.find_if([&](const engine::KeptPlan& plan) {
    return plan.import_record != 0 && plan.source == engine::ImportSource::poll &&
           plan.name == held_->name && plan.file_hash == held_->file_hash &&
           plan.effects == held_->effects;
  });
  failure.plan = waiting != 0 ? waiting : state.catalog.plans.next_number();
  failure.error.message =
      fmt::format("held as plan {} for an administrator: {}", failure.plan, held_->held_because);
  aborted.message = engine::aborted_import_text(failure.error.message);
  if (waiting != 0) return;
  held_->planned_at = now.instant();
  held_->import_record =
      record_in_progress_ != 0 ? record_in_progress_ : state.catalog.imports.next_number();
  add_kept_plan(transaction, state, *held_);
}

// With the name of the file, which an audit shows.
Caller ImportJob::caller() const {
  Caller caller = request_.caller;
  const std::string plan = plan_ == 0 ? std::string() : fmt::format(", plan {},", plan_);
  caller.source = fmt::format("{}{} from {}", request_.file_name, plan, caller.source);
  return caller;
}

// A new record, or the one that was in progress; its number.
Result<std::uint64_t> ImportJob::finish_with(engine::Transaction& transaction,
                                             const engine::State& state,
                                             engine::ImportRecord record) const {
  if (record_in_progress_ == 0) {
    add_import_record(transaction, state, std::move(record));
    return transaction.imports.back().number;
  }
  const auto before = state.catalog.imports.find(record_in_progress_);
  if (before == nullptr) return fail(Errc::not_found, "the import record was deleted");
  record.imported_at = before->imported_at;
  replace_import_record(transaction, state, record_in_progress_, std::move(record));
  return record_in_progress_;
}

Result<SpooledFile> ImportJob::spooled() {
  if (!spooled_) {
    NETML_TRY(spooled_, spool_->finish());
  }
  return *spooled_;
}

Result<Sha256> ImportJob::file_hash() {
  if (stored_) return stored_->hash;
  NETML_TRY(const SpooledFile file, spooled());
  return file.hash;
}

Result<SpooledFile> ImportJob::store() {
  if (stored_) return *stored_;
  NETML_TRY(SpooledFile file, spooled());
  NETML_TRY_VOID(node_.keep_upload(file));
  spool_->release();
  stored_ = file;
  return file;
}

// Whether a failure ends the import, with a record that tells of it. An upload that was accepted
// earlier waits for better times only when the disk is to blame.
bool ImportJob::ends_with(Errc code) const {
  if (plan_ != 0) return false;
  if (record_in_progress_ == 0) return code == Errc::conflict;
  return code != Errc::unavailable && code != Errc::no_space && code != Errc::io_error;
}

Result<engine::ImportPlan> ImportJob::plan_now(const engine::State& state,
                                               const engine::Document& document) {
  Result<engine::ImportPlan> planned =
      guarded([&] { return plan(state, document); }, Errc::too_large);
  if (planned || !is_out_of_memory(planned.error())) return planned;
  lacks_memory(std::move(planned).error());
  return tl::unexpected(reading_.error());
}

ImportFailure ImportJob::failure(const Error& error) const {
  ImportFailure failure{error, {}, 0};
  failure.no_memory = !reading_;
  return failure;
}

ImportOutcome ImportJob::commit() {
  auto document = read();
  if (!document && document.error().errors.count == 0)
    return tl::unexpected(std::move(document.error()));
  const Result<SpooledFile> file = store();
  if (!file) return tl::unexpected(ImportFailure{file.error(), {}, 0});
  if (!document) return tl::unexpected(refuse(*file, std::move(document.error())));

  ImportResult result;
  Change change{.caller = caller(),
                .cause = request_.source == engine::ImportSource::poll ? engine::Cause::poll
                                                                       : engine::Cause::import,
                .file_hash = file->hash,
                .effective_time = request_.date,
                .rules = RulesAfter::skip,
                .bytes = file->bytes};
  change.plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    const std::size_t elements = document->topologies.size() + document->elements.size();
    tell(ImportStep::planning, 0, elements);
    NETML_TRY(engine::ImportPlan planned, plan_now(state, *document));
    NETML_TRY_VOID(use_plan(state, planned.transaction));
    NETML_TRY_VOID(guard(state, planned, *file));
    engine::ImportRecord done = record(*file);
    done.parent_topology = planned.parent;
    result = planned_result(state.graph, planned);
    done.imported_at = now.instant();
    done.status = result.status;
    done.counts = result.counts;
    done.message = result.log;
    NETML_TRY(result.record, finish_with(planned.transaction, state, std::move(done)));
    const auto& [created, updated, deleted] = result.changes;
    tell(ImportStep::storing, 0, created + updated + deleted);
    forget_overwritten(planned.transaction, state, request_.polled_source);
    if (request_.also)
      request_.also(
          planned.transaction, state,
          {.now = now, .record = result.record, .root = planned.root, .parent = planned.parent});
    return std::move(planned.transaction);
  };
  const Result<Lsn> lsn = node_.commit(std::move(change));
  if (lsn) {
    result.lsn = *lsn;
    return result;
  }
  const bool ended = ends_with(lsn.error().code);
  return tl::unexpected(ended ? refuse(*file, failure(lsn.error())) : failure(lsn.error()));
}

ImportOutcome ImportJob::dry_run() {
  auto document = read();
  if (!document) return tl::unexpected(std::move(document.error()));
  const engine::StatePtr state = node_.version().state;
  const Result<engine::ImportPlan> planned = plan_now(*state, *document);
  if (!planned) return tl::unexpected(failure(planned.error()));
  return planned_result(state->graph, *planned);
}

Status ImportJob::use_plan(const engine::State& state, engine::Transaction& transaction) const {
  if (plan_ == 0) return {};
  NETML_TRY(const auto kept, find_kept_plan(state.catalog, plan_));
  if (planned_effects(state.graph, transaction) != kept->effects)
    return fail(Errc::conflict,
                fmt::format("plan {0} does not fit any more; `netml plan again {0}` plans its file "
                            "again",
                            plan_));
  return delete_kept_plan(transaction, state, plan_);
}

std::optional<std::string> ImportJob::reason_to_hold(const engine::State& state,
                                                     const engine::ImportPlan& plan) const {
  if (auto reason = beyond_authority(state, plan, request_.polled_source)) return reason;
  const engine::MassDeletionGuard settings = mass_deletion_guard(state.catalog, request_.source);
  const engine::MassDeletionGuard limits{
      request_.deletions_max.value_or(settings.count_max),
      request_.deletion_percent_max.value_or(settings.percent_max)};
  if (limits.off()) return std::nullopt;
  return held_because(count_deletions(state.graph, plan), limits);
}

Status ImportJob::guard(const engine::State& state, const engine::ImportPlan& plan,
                        const SpooledFile& file) {
  if (plan_ != 0) return {};  // an administrator has decided
  if (request_.polled_source != 0 && !state.catalog.sources.find(request_.polled_source))
    return fail(Errc::conflict, "the source was deleted");
  auto reason = reason_to_hold(state, plan);
  if (!reason) return {};
  NETML_TRY(held_, kept_plan(state, plan, file));
  held_->held_because = std::move(*reason);
  return fail(Errc::conflict, "held: " + held_->held_because);
}

Result<engine::KeptPlan> ImportJob::kept_plan(const engine::State& state,
                                              const engine::ImportPlan& plan,
                                              const SpooledFile& file) const {
  engine::KeptPlan kept;
  kept.name = request_.file_name;
  kept.source = request_.source;
  kept.token_client_name = request_.token_client_name;
  kept.token = request_.token;
  kept.parent_topology = plan.parent;
  kept.topology_name = request_.topology_name;
  kept.file_hash = file.hash;
  kept.file_bytes = file.bytes;
  kept.lsn = state.lsn;
  kept.effects = planned_effects(state.graph, plan.transaction);
  NETML_TRY(engine::State after, engine::apply(state, plan.transaction, state.lsn.next()));
  const engine::ChangeCounts changes =
      engine::Difference(state.graph, std::move(after.graph)).counts();
  kept.created = changes.created;
  kept.updated = changes.updated;
  kept.deleted = changes.deleted;
  return kept;
}

Result<ImportResult> ImportJob::renew_plan(const engine::State& base,
                                           const engine::ImportPlan& planned) {
  NETML_ASSERT(plan_ != 0);
  NETML_TRY(engine::KeptPlan renewed, kept_plan(base, planned, *stored_));
  Change change{.caller = caller(), .cause = engine::Cause::upload, .file_hash = stored_->hash};
  change.plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    NETML_TRY(const auto kept, find_kept_plan(state.catalog, plan_));
    renewed.planned_at = now.instant();
    renewed.import_record = kept->import_record;
    renewed.held_because =
        renewed.effects == kept->effects ? kept->held_because : held_then(kept->held_because);
    engine::Transaction transaction = engine::empty_transaction(state);
    NETML_TRY_VOID(replace_kept_plan(transaction, state, plan_, renewed));
    return transaction;
  };
  NETML_TRY(const Lsn lsn, node_.commit(std::move(change)));
  ImportResult result = planned_result(base.graph, planned);
  result.changes = {renewed.created, renewed.updated, renewed.deleted};
  result.plan = plan_;
  result.lsn = lsn;
  return result;
}

ImportOutcome ImportJob::keep_plan() {
  const auto fail_with = [&](const Error& error) { return tl::unexpected(failure(error)); };
  auto document = read();
  if (!document) return tl::unexpected(std::move(document.error()));
  const engine::StatePtr base = node_.version().state;
  const Result<engine::ImportPlan> planned = plan_now(*base, *document);
  if (!planned) return fail_with(planned.error());
  const Result<SpooledFile> file = store();
  if (!file) return fail_with(file.error());
  Result<engine::KeptPlan> kept = kept_plan(*base, *planned, *file);
  if (!kept) return fail_with(kept.error());
  ImportResult result = planned_result(base->graph, *planned);
  result.changes = {kept->created, kept->updated, kept->deleted};
  Change change{.caller = caller(), .cause = engine::Cause::upload, .file_hash = file->hash};
  change.plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    engine::Transaction transaction = engine::empty_transaction(state);
    kept->planned_at = now.instant();
    result.plan = state.catalog.plans.next_number();
    add_kept_plan(transaction, state, *kept);
    return transaction;
  };
  const Result<Lsn> lsn = node_.commit(std::move(change));
  if (!lsn) return fail_with(lsn.error());
  result.lsn = *lsn;
  return result;
}

}  // namespace netml::admin
