// The life of one import. It begins with a file that arrives, with one that was accepted and waits,
// or with that of a plan; from read() on all of them go the same way. An import that is done, and
// one that is refused for what the file says or would do, end alike: one transaction holds the
// record and all that goes with it, so nobody ever sees a change without its record. Any other
// failure, such as a disk that is full, leaves the graph as it was; ends_with() says which of them
// are put on record.
#include "admin/imports/import_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <type_traits>

#include "admin/imports/detail/import_file.hpp"
#include "admin/imports/kept_map.hpp"
#include "admin/settings/settings.hpp"
#include "engine/base/guarded.hpp"
#include "engine/edit/plan_edit.hpp"
#include "engine/import/plan_update.hpp"
#include "engine/import/source_authority.hpp"
#include "engine/transaction/entry_changes.hpp"
#include "net/http/http.hpp"

namespace netml::admin {

namespace {

// The message in the record of an import whose file cannot be read (docs/requirements/http-api.md,
// section 9): one line for one error, and one for each further one.
std::string all_texts(const codecs::FileFormat& format, const engine::InputErrors& errors) {
  std::string text(format.unreadable);
  std::string_view separator;
  for (const engine::InputError& error : errors.first) {
    text.append(separator).append(error.text());
    separator = "\n";
  }
  if (errors.count > errors.first.size())
    text += fmt::format("\n{} more errors", errors.count - errors.first.size());
  return text;
}

std::uint64_t count_elements(const FileContent& content) {
  if (const auto* const update = std::get_if<engine::MapUpdate>(&content))
    return update->elements().size();
  const auto& document = std::get<engine::Document>(content);
  return document.topologies.size() + document.elements.size();
}

}  // namespace

ImportResult planned_result(const engine::Graph& before, const engine::ImportPlan& plan) {
  ImportResult result;
  result.status = plan.log.status();
  result.counts = plan.log.counts();
  result.log = plan.log.text();
  result.changes = count_changes(plan.transaction);
  result.moves = topology_moves(before, plan.transaction);
  result.losses = plan.losses;
  return result;
}

Result<const codecs::FileFormat*> import_format(std::string_view text, std::string_view file_name) {
  NETML_TRY(const codecs::ReadAs read_as, codecs::parse_read_as(text));
  const codecs::FileFormat* const format =
      read_as.format.empty() ? codecs::format_of(file_name) : codecs::find_format(read_as.format);
  if ((format == nullptr || !format->is_read()) && !read_as.format.empty())
    return fail(Errc::invalid_input, "format",
                fmt::format("{} is no format that is read; these are: {}",
                            net::excerpt(read_as.format), fmt::join(codecs::read_formats(), ", ")));
  if (format == nullptr || !format->is_read())
    return fail(Errc::invalid_input, "file",
                fmt::format("{} cannot be imported; the name must end in {}",
                            net::excerpt(file_name), codecs::accepted_endings()));
  const bool is_table = format->read_update != nullptr;
  if (!is_table && read_as.is_update)
    return fail(Errc::invalid_input, "update",
                fmt::format("{} is no update; CSV files and sheets can be", format->article));
  if (!is_table && !read_as.headings.empty())
    return fail(Errc::invalid_input, "map",
                fmt::format("{} has no headings; CSV files and sheets have", format->article));
  NETML_TRY_VOID(codecs::check_mapping(*format, read_as.mapping));
  return format;
}

Status check_request(const codecs::FileFormat& format, const ImportRequest& request) {
  NETML_TRY(const codecs::ReadAs read_as, codecs::parse_read_as(request.format));
  if (read_as.is_update) {
    if (!request.parent && !request.parent_record)
      return fail(Errc::invalid_input, "update", "must name the topology that is updated");
    if (request.topology_name.empty() && request.owner.empty()) return {};
    return fail(Errc::invalid_input, request.owner.empty() ? "topology_name" : "owner",
                "is that of a new map, and an update says it in the file");
  }
  if (format.names_topology || !request.topology_name.empty()) return {};
  return fail(
      Errc::invalid_input, "topology_name",
      fmt::format("{} does not name its topology; give a name for it (netml import: --name)",
                  format.article));
}

// ---- where a job comes from ----

namespace {

// Of an import whose file says only what changed since others.
Result<std::unique_ptr<ImportFile>> made_whole(Node& node, const engine::ImportRecord& record,
                                               const codecs::FileFormat& format) {
  const KeptMap map{record.file_hash, record.changes_of};
  NETML_TRY(const std::uint64_t bytes, kept_bytes(node, map));
  NETML_TRY(const MemoryReservation memory,
            node.memory().reserve(MemoryUse::imports, kMemoryOfKeptMap * bytes));
  NETML_TRY(auto file, ImportFile::begin(node, record.name, format, bytes, ReadWhen::stored));
  NETML_TRY_VOID(replay_kept_map(node, map, {}, [&](std::string_view piece) {
    file->write(piece);
    return file->state();
  }));
  return file;
}

}  // namespace

ImportJob::ImportJob(Node& node, ImportRequest request)
    : node_(node), request_(std::move(request)) {}

ImportJob::~ImportJob() = default;

Result<std::unique_ptr<ImportJob>> ImportJob::begin(Node& node, ImportRequest request,
                                                    ReadWhen when,
                                                    std::shared_ptr<KnownFiles> known) {
  std::unique_ptr<ImportJob> job(new ImportJob(node, std::move(request)));
  job->known_ = std::move(known);
  const ImportRequest& wanted = job->request_;
  job->likely_ = job->likely_file();
  NETML_TRY(job->file_,
            ImportFile::begin(node, wanted.file_name, job->format(), wanted.file_bytes, when,
                              job->likely_ == nullptr ? nullptr : &job->likely_->file));
  return job;
}

template <class Entry>
Result<std::unique_ptr<ImportJob>> ImportJob::of_kept_file(Node& node, const Entry& entry,
                                                           Caller caller) {
  ImportRequest request;
  request.caller = std::move(caller);
  request.source = entry.source;
  request.file_name = entry.name;
  request.token = entry.token;
  request.token_client_name = entry.token_client_name;
  request.parent_record = entry.parent_topology;
  request.topology_name = entry.topology_name;
  request.format = entry.format;
  request.owner = entry.owner;
  std::unique_ptr<ImportJob> job(new ImportJob(node, std::move(request)));
  if constexpr (std::is_same_v<Entry, engine::ImportRecord>) {
    if (!entry.changes_of.empty()) {
      NETML_TRY(job->file_, made_whole(node, entry, job->format()));
      return job;
    }
  }
  NETML_TRY(job->file_, ImportFile::open(node, entry.name, job->format(),
                                         {{}, entry.file_hash, entry.file_bytes}));
  return job;
}

Result<std::unique_ptr<ImportJob>> ImportJob::resume(Node& node, std::uint64_t number,
                                                     std::shared_ptr<KnownFiles> known) {
  // The record holds all that decides what the import does, because whoever sent the file has its
  // answer and has gone.
  const auto record = node.version().state->catalog.imports.find(number);
  if (record == nullptr || record->status != engine::ImportStatus::in_progress)
    return fail(Errc::not_found, fmt::format("import {} is not in progress", number));
  const bool by_account = record->source == engine::ImportSource::admin;  // sent from the site
  const auto kind = by_account ? engine::ActorKind::account : engine::ActorKind::token;
  NETML_TRY(auto job, of_kept_file(node, *record, {kind, record->token_client_name, "queue", {}}));
  if (by_account) job->request_.place = ImportPlace::top_level;  // where there is no parent
  job->record_in_progress_ = number;
  job->known_ = std::move(known);
  return job;
}

Result<std::unique_ptr<ImportJob>> ImportJob::of_plan(Node& node, const Caller& caller,
                                                      std::uint64_t number) {
  // The topology where the plan went, not the one that a name would lead to now.
  NETML_TRY(const auto plan, find_kept_plan(node.version().state->catalog, number));
  NETML_TRY(auto job, of_kept_file(node, *plan, caller));
  job->request_.place = ImportPlace::top_level;  // where there is no parent
  job->plan_ = number;
  return job;
}

Result<std::unique_ptr<ImportJob>> ImportJob::once_more(Node& node,
                                                        const engine::ImportRecord& record,
                                                        RecordId parent, Instant time) {
  NETML_TRY(auto job, of_kept_file(node, record, {}));
  job->time_ = time;
  job->request_.parent_record = parent;
  job->request_.place = ImportPlace::top_level;  // where there is no parent
  return job;
}

template <class Entry>
Result<engine::LossList> ImportJob::losses_of_file(Node& node, const Entry& entry) {
  NETML_TRY(const auto job, of_kept_file(node, entry, {}));
  auto content = job->read();
  if (!content) return tl::unexpected(std::move(content.error().error));
  return std::visit([](auto& says) { return std::move(says.losses); }, *content);
}

Result<engine::LossList> ImportJob::losses_of(Node& node, const engine::ImportRecord& record) {
  return losses_of_file(node, record);
}

Result<engine::LossList> ImportJob::losses_of(Node& node, const engine::KeptPlan& plan) {
  return losses_of_file(node, plan);
}

// ---- its file ----

bool ImportJob::write(std::string_view bytes) {
  const bool more = file_->write(bytes);
  // Perhaps because of the stored file that it was compared with.
  if (!file_->state() && known_ != nullptr) known_->forget(request_);
  return more;
}

const Status& ImportJob::reading() const {
  return file_->state();
}

bool ImportJob::lacks_name() const {
  return !file_->format().names_topology && request_.topology_name.empty();
}

Result<Sha256> ImportJob::file_hash() {
  return file_->hash();
}

std::uint64_t ImportJob::file_bytes() {
  return file_->size();
}

Result<SpooledFile> ImportJob::store() {
  return file_->store();
}

// A queued import does not wait for memory: it fails now, keeps its place, and is tried again.
tl::expected<FileContent, ImportFailure> ImportJob::read() {
  // Of a record that a later version of this program has made, or of whoever passes by the API.
  auto read_as = codecs::parse_read_as(request_.format);
  if (!read_as) return tl::unexpected(ImportFailure{.error = std::move(read_as).error()});
  if (read_as->is_update && format().read_update == nullptr)
    return tl::unexpected(ImportFailure{
        .error = {Errc::invalid_input, fmt::format("{} is no update", format().article)}});
  const auto tell_bytes = [&](std::uint64_t done, std::uint64_t total) {
    tell(ImportStep::reading, done, total);
  };
  return file_->read({request_.topology_name, request_.owner, *read_as}, record_in_progress_ == 0,
                     tell_bytes);
}

const codecs::FileFormat& ImportJob::format() const {
  return codecs::chosen_format(request_.format, request_.file_name);
}

// ---- the import ----

// What is read is stored before anything else, so that a record always has its file. A file that is
// not valid leaves the record of an aborted import; one that could not be read or stored leaves
// nothing.
ImportOutcome ImportJob::commit(const AlsoChange& also) {
  const auto began = node_.clock().steady();
  ImportOutcome outcome = commit_now(also);
  note_end(outcome, began);
  return outcome;
}

// Whatever becomes of that, the outcome stands.
void ImportJob::note_end(const ImportOutcome& outcome, std::chrono::nanoseconds began) {
  const auto took = node_.clock().steady() - began;
  std::ignore = guarded([&]() -> Status {
    report(outcome, took);
    return {};
  });
}

ImportOutcome ImportJob::commit_now(const AlsoChange& also) {
  if (auto known = commit_known(also)) return *std::move(known);
  auto content = read();
  if (!content && content.error().errors.count == 0)
    return tl::unexpected(std::move(content.error()));
  const Result<SpooledFile> file = store();
  if (!file) return tl::unexpected(ImportFailure{.error = file.error()});
  if (!content) return tl::unexpected(refuse(*file, std::move(content.error()), also));
  const PlanOn plan_on = [&](const engine::State& state) {
    tell(ImportStep::planning, 0, count_elements(*content));
    auto planned = plan_now(state, *content);
    *content = {};  // the plan has what it says: the next version is made in its memory
    return planned;
  };
  return concluded(*file, try_commit(*file, plan_on, also), also);
}

// All else is decided on the writer's thread, on the newest state, in the one closure: what the
// file changes, whether that is what was planned, whether it may be done at all, and the record.
Result<ImportResult> ImportJob::try_commit(const SpooledFile& file, const PlanOn& plan_on,
                                           const AlsoChange& also) {
  ImportResult result;
  KnownUpload known{.file = {{}, file.hash, file.bytes},
                    .topology_name = request_.topology_name,
                    .owner = request_.owner,
                    .parameters = std::string(codecs::parameters_in(request_.format)),
                    .contents = 0,
                    .topologies = {},
                    .is_changes = !changes_of_.empty(),
                    .plan = nullptr};
  std::optional<std::vector<RecordId>> changed_alone;  // topologies; none: records of others, too
  Change change{.caller = caller(),
                .cause = request_.source == engine::ImportSource::poll ? engine::Cause::poll
                                                                       : engine::Cause::import,
                .file_hash = file.hash,
                .effective_time = request_.date,
                .rules = RulesAfter::skip,
                .bytes = file.bytes};
  // Reading and storing, which take long, are over: the writer's thread serves everybody.
  change.plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    NETML_TRY(engine::ImportPlan planned, plan_on(state));
    // An import that applies a plan must do what the plan says; any other must pass the guard.
    NETML_TRY_VOID(use_plan(state, planned.transaction));
    NETML_TRY_VOID(guard(state, planned, file));
    engine::ImportRecord done = record(file);
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
    if (also)
      also(planned.transaction, state,
           {.now = now, .record = result.record, .root = planned.root, .parent = planned.parent});
    known.plan = planned.known;
    const bool changes_records = !planned.transaction.records.empty();
    known.contents = node_.contents() + (changes_records ? 1 : 0);
    known.topologies = engine::topologies_of(state, planned);
    if (changes_records && engine::changes_only(planned, known.topologies))
      changed_alone = known.topologies;
    if (known.plan != nullptr) {
      const auto& met = known.plan->met;
      known.topologies.insert(known.topologies.end(), met.begin(), met.end());
    }
    return std::move(planned.transaction);
  };
  NETML_TRY(result.lsn, node_.commit(std::move(change)));
  if (known_ == nullptr) return result;
  if (changed_alone) known_->note_alone(known.contents, *std::move(changed_alone));
  if (known.plan != nullptr) known_->note(request_, std::move(known));
  return result;
}

// Where it failed nothing of the transaction stands, so the record of a refusal needs one of its
// own.
ImportOutcome ImportJob::concluded(const SpooledFile& file, Result<ImportResult> tried,
                                   const AlsoChange& also) {
  if (tried) return *std::move(tried);
  const bool ended = ends_with(tried.error().code);
  return tl::unexpected(ended ? refuse(file, failure(tried.error()), also)
                              : failure(tried.error()));
}

ImportOutcome ImportJob::dry_run() {
  auto content = read();
  if (!content) return tl::unexpected(std::move(content.error()));
  const engine::StatePtr state = node_.version().state;
  Result<engine::ImportPlan> planned = plan_now(*state, *content);
  if (!planned) return tl::unexpected(failure(planned.error()));
  auto reason = reason_to_hold(*state, *planned);
  if (!reason) return tl::unexpected(failure(reason.error()));
  ImportResult result = planned_result(state->graph, *planned);
  result.held_because = std::move(*reason).value_or("");
  return result;
}

// An import that failed leaves a record and nothing else.
ImportFailure ImportJob::refuse(const SpooledFile& file, ImportFailure failure,
                                const AlsoChange& also) {
  const Error refusal = failure.error;
  engine::ImportRecord aborted = record(file);
  aborted.status = engine::ImportStatus::aborted;
  aborted.message = failure.errors.count > 0 ? all_texts(format(), failure.errors)
                                             : engine::aborted_import_text(failure.error.text());
  Change change{.caller = caller(), .cause = engine::Cause::failed_import, .file_hash = file.hash};
  // It had no effect, so the rest of a series of dated imports may still follow (decision 19).
  if (request_.date) change.effective_time = node_.version().state->effective_time;
  change.plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    engine::Transaction transaction = engine::empty_transaction(state);
    aborted.imported_at = now.instant();
    if (held_) hold(transaction, state, now, aborted, failure);
    NETML_TRY(failure.record, finish_with(transaction, state, aborted));
    if (also)
      also(transaction, state,
           {.now = now, .record = failure.record, .failure = &failure, .root = {}, .parent = {}});
    return transaction;
  };
  const Result<Lsn> lsn = node_.commit(std::move(change));
  if (lsn) return failure;
  // The refusal itself stands, whether or not it could be noted; no plan does.
  failure.record = failure.plan = 0;
  failure.error = refusal;
  if (held_) failure.error.message += "; no plan was kept: " + lsn.error().text();
  return failure;
}

// ---- its steps ----

// A number or an identifier is looked up on the state that is planned on. A topology that was
// looked up when the request was made may have been deleted since. None: none was named.
Result<RecordId> ImportJob::named_parent(const engine::Graph& graph) const {
  if (request_.parent) return engine::find_topology(graph, *request_.parent);
  if (!request_.parent_record || graph.contains(request_.parent_record))
    return request_.parent_record;
  return fail(Errc::conflict, "the parent topology was deleted before the import began");
}

Result<RecordId> ImportJob::updated_topology(const engine::Graph& graph) const {
  NETML_TRY(const RecordId topology, named_parent(graph));
  if (topology) return topology;
  return fail(Errc::invalid_input, "update", "must name the topology that is updated");
}

Result<RecordId> ImportJob::parent_in(const engine::Graph& graph,
                                      const engine::Document& document) const {
  NETML_TRY(const RecordId named, named_parent(graph));
  if (named) return named;
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

Result<engine::ImportOptions> ImportJob::options_on(const engine::State& state,
                                                    const engine::Document& document) const {
  engine::ImportOptions options;
  options.collisions = engine::CollisionPolicy::by_rules;
  options.now = time_.value_or(node_.clock().wall().instant());
  NETML_TRY(options.parent, parent_in(state.graph, document));
  options.propagate_topology_deletion =
      setting_value(state.catalog, kTopologyDeletionPropagation, node_.mode()) == "On";
  return options;
}

Result<engine::ImportPlan> ImportJob::plan(const engine::State& state, const FileContent& content,
                                           engine::InputErrors& errors) const {
  if (const auto* const update = std::get_if<engine::MapUpdate>(&content)) {
    NETML_TRY(const RecordId topology, updated_topology(state.graph));
    return plan_update(state, topology, *update, node_.file_limits().xml.errors, errors);
  }
  const auto& document = std::get<engine::Document>(content);
  NETML_TRY(const engine::ImportOptions options, options_on(state, document));
  return plan_import(state, document, options);
}

Result<engine::ImportPlan> ImportJob::plan_now(const engine::State& state,
                                               const FileContent& content) {
  // How much memory a plan takes is not known before, so an allocation may fail here: that refuses
  // this import, with the numbers of the memory.
  Result<engine::ImportPlan> planned =
      guarded([&] { return plan(state, content, misfits_); }, Errc::too_large);
  if (planned || !is_out_of_memory(planned.error())) return planned;
  return tl::unexpected(file_->lacks_memory(std::move(planned).error()));
}

// Adds a record, or ends the one in progress, which keeps the time when its file was accepted;
// gives its number.
Result<std::uint64_t> ImportJob::finish_with(engine::Transaction& transaction,
                                             const engine::State& state,
                                             engine::ImportRecord record) const {
  if (record_in_progress_ == 0) {
    add_entry(transaction, state, std::move(record));
    return transaction.imports.back().number;
  }
  const auto before = state.catalog.imports.find(record_in_progress_);
  if (before == nullptr) return fail(Errc::not_found, "the import record was deleted");
  record.imported_at = before->imported_at;
  put_entry(transaction, state, record_in_progress_, std::move(record));
  return record_in_progress_;
}

// Whether a failure of the commit ends the import with a record of it. The import of a plan leaves
// none, because the plan stays. Who waits for the answer hears of the failure, so only a conflict
// is put on record; an upload that was accepted earlier has nobody else to report it, and goes on
// waiting only when the node cannot write now.
bool ImportJob::ends_with(Errc code) const {
  if (plan_ != 0) return false;
  if (record_in_progress_ == 0) return code == Errc::conflict;
  return code != Errc::unavailable && code != Errc::no_space && code != Errc::io_error;
}

ImportFailure ImportJob::failure(const Error& error) const {
  return {.error = error, .errors = misfits_, .no_room = lacks_room(reading())};
}

// The caller with the name of the file, and the number of the plan, which an audit shows.
Caller ImportJob::caller() const {
  Caller caller = request_.caller;
  const std::string plan = plan_ == 0 ? std::string() : fmt::format(", plan {},", plan_);
  caller.source = fmt::format("{}{} from {}", request_.file_name, plan, caller.source);
  return caller;
}

void ImportJob::tell(ImportStep step, std::uint64_t done, std::uint64_t total) const {
  if (progress_ != nullptr) progress_->set({record_in_progress_, step, done, total});
}

}  // namespace netml::admin
