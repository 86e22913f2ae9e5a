#include "admin/services/importer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "admin/services/settings.hpp"
#include "codecs/file_format.hpp"
#include "codecs/xlsx_reader.hpp"
#include "engine/plan_edit.hpp"

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

std::string all_texts(const engine::InputErrors& errors) {
  std::string text = fmt::format("Status: {}\n\nErrors ({}):\n",
                                 import_status_phrase(engine::ImportStatus::aborted), errors.count);
  for (const engine::InputError& error : errors.first) text += error.text() + '\n';
  return text;
}

}  // namespace

Result<std::unique_ptr<ImportJob>> ImportJob::begin(Node& node, ImportRequest request) {
  NETML_TRY(std::unique_ptr<Spool> spool, Spool::create(node.directory(), node.random()));
  return std::unique_ptr<ImportJob>(new ImportJob(node, std::move(request), std::move(spool)));
}

ImportJob::ImportJob(Node& node, ImportRequest request, std::unique_ptr<Spool> spool)
    : node_(node), request_(std::move(request)), spool_(std::move(spool)) {
  if (codecs::format_of(request_.file_name) == codecs::FileFormat::xlsx) return;
  const auto replay = [from = spool_.get()](const codecs::ByteSink& take) {
    return from->replay(take);
  };
  reader_.emplace(codecs::ReadLimits{}, codecs::ReadOptions{.replay = replay});
}

bool ImportJob::write(std::string_view bytes) {
  spool_->write(bytes);
  if (!reader_) return true;
  reader_->feed(std::as_bytes(std::span(bytes)));
  return !reader_->hopeless();
}

Result<RecordId> ImportJob::parent_in(const engine::Graph& graph) const {
  if (request_.parent) return engine::find_topology(graph, *request_.parent);
  if (request_.place == ImportPlace::top_level) return RecordId{};
  return engine::default_parent(graph);
}

Result<engine::ImportPlan> ImportJob::plan(const engine::State& state,
                                           const engine::Document& document) const {
  engine::ImportOptions options;
  options.collisions = engine::CollisionPolicy::by_rules;
  NETML_TRY(options.parent, parent_in(state.graph));
  options.propagate_topology_deletion =
      setting_value(state.catalog, kTopologyDeletionPropagation) == "On";
  return plan_import(state, document, options);
}

engine::ImportRecord ImportJob::record(const SpooledFile& file) const {
  engine::ImportRecord record;
  record.source = request_.source;
  record.name = request_.file_name;
  if (request_.caller.kind == engine::ActorKind::token)
    record.token_client_name = request_.caller.actor;
  record.token = request_.token;
  record.topology_name = request_.topology_name;
  record.file_hash = file.hash;
  record.file_bytes = file.bytes;
  return record;
}

codecs::ReadResult ImportJob::parse() {
  if (!reader_) {
    SpooledBytes file(*spool_);
    return codecs::read_xlsx(file, {.topology_name = request_.topology_name});
  }
  codecs::ReadResult read = reader_->finish();
  if (read && !request_.topology_name.empty()) rename_root(*read, request_.topology_name);
  return read;
}

tl::expected<engine::Document, ImportFailure> ImportJob::read() {
  codecs::ReadResult read = parse();
  if (!read) {
    ImportFailure failure;
    failure.error = {Errc::invalid_input,
                     fmt::format("{} is not valid: {} error{}", request_.file_name,
                                 read.error().count, read.error().count == 1 ? "" : "s")};
    failure.errors = std::move(read.error());
    return tl::unexpected(std::move(failure));
  }
  return std::move(*read);
}

// An import that failed leaves a record and nothing else.
ImportFailure ImportJob::refuse(const SpooledFile& file, ImportFailure failure) {
  engine::ImportRecord aborted = record(file);
  aborted.status = engine::ImportStatus::aborted;
  aborted.message = failure.errors.count > 0
                        ? all_texts(failure.errors)
                        : fmt::format("Status: {}\n\nERRORS:\nError: {}\n",
                                      import_status_phrase(aborted.status), failure.error.message);
  Change change{
      .caller = request_.caller, .cause = engine::Cause::failed_import, .file_hash = file.hash};
  // It had no effect, so the rest of a series of dated imports may still follow (decision 19).
  if (request_.date) change.effective_time = node_.version().state->effective_time;
  change.plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    engine::Transaction transaction = engine::empty_transaction(state);
    failure.record = state.catalog.imports.next_number();
    aborted.imported_at = now.instant();
    add_import_record(transaction, state, aborted);
    return transaction;
  };
  const Result<Lsn> lsn = node_.commit(std::move(change));
  if (!lsn) failure.record = 0;  // the refusal itself stands, whether or not it could be noted
  return failure;
}

ImportOutcome ImportJob::commit() {
  auto document = read();
  const Result<SpooledFile> file = spool_->finish();
  if (!file) return tl::unexpected(ImportFailure{file.error(), {}, 0});
  if (!document) return tl::unexpected(refuse(*file, std::move(document.error())));
  if (Status kept = node_.keep_upload(*file); !kept)
    return tl::unexpected(ImportFailure{kept.error(), {}, 0});
  spool_->release();

  ImportResult result;
  Change change{.caller = request_.caller,
                .cause = engine::Cause::import,
                .file_hash = file->hash,
                .effective_time = request_.date,
                .rules = RulesAfter::skip};
  change.plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    NETML_TRY(engine::ImportPlan planned, plan(state, *document));
    engine::ImportRecord done = record(*file);
    NETML_TRY(done.parent_topology, parent_in(state.graph));
    done.imported_at = now.instant();
    done.status = planned.log.status();
    done.counts = planned.log.counts();
    done.message = planned.log.text();
    result.record = state.catalog.imports.next_number();
    result.status = done.status;
    result.counts = done.counts;
    result.log = done.message;
    result.changes = count_changes(planned.transaction);
    add_import_record(planned.transaction, state, std::move(done));
    return std::move(planned.transaction);
  };
  const Result<Lsn> lsn = node_.commit(std::move(change));
  if (lsn) {
    result.lsn = *lsn;
    return result;
  }
  ImportFailure failure{lsn.error(), {}, 0};
  const bool about_the_data = lsn.error().code == Errc::conflict;
  return tl::unexpected(about_the_data ? refuse(*file, std::move(failure)) : std::move(failure));
}

ImportOutcome ImportJob::dry_run() {
  auto document = read();
  if (!document) return tl::unexpected(std::move(document.error()));
  const engine::StatePtr state = node_.version().state;
  const Result<engine::ImportPlan> planned = plan(*state, *document);
  if (!planned) return tl::unexpected(ImportFailure{planned.error(), {}, 0});
  ImportResult result;
  result.status = planned->log.status();
  result.counts = planned->log.counts();
  result.log = planned->log.text();
  result.changes = count_changes(planned->transaction);
  return result;
}

namespace {

net::ImportRefused refused(net::ImportRefusal reason, std::string detail) {
  net::ImportRefused refusal;
  refusal.reason = reason;
  refusal.detail = std::move(detail);
  return refusal;
}

net::ImportRefusal reason_for(Errc code) {
  switch (code) {
    case Errc::invalid_input:
    case Errc::conflict:
      return net::ImportRefusal::invalid;
    case Errc::not_found:
      return net::ImportRefusal::unknown_parent;
    case Errc::too_large:
      return net::ImportRefusal::too_large;
    case Errc::unavailable:
      return net::ImportRefusal::read_only;
    case Errc::io_error:
    case Errc::corruption:
    case Errc::denied:
    case Errc::internal:
      break;
  }
  return net::ImportRefusal::failed;
}

// Counts an upload for as long as it lasts.
class Slot {
 public:
  Slot(std::shared_ptr<std::atomic<int>> active) : active_(std::move(active)) {}
  ~Slot() { active_->fetch_sub(1); }
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;

 private:
  std::shared_ptr<std::atomic<int>> active_;
};

class HttpUpload : public net::Upload {
 public:
  HttpUpload(Node& node, std::unique_ptr<ImportJob> job, std::unique_ptr<Slot> slot)
      : node_(node), job_(std::move(job)), slot_(std::move(slot)) {}

  // A file that is beyond hope is still read to its end: its record keeps the file's hash, and a
  // client that is cut off in the middle of sending may never see why.
  std::optional<net::ImportRefused> write(std::string_view piece) override {
    job_->write(piece);
    return std::nullopt;
  }

  net::ImportOutcome finish(const net::UploadFields& fields) override {
    if (fields.parent_topology_id) {
      const engine::StatePtr state = node_.version().state;
      if (const auto parent = find_topology(state->graph, *fields.parent_topology_id); !parent)
        return refused(net::ImportRefusal::unknown_parent, parent.error().message);
      job_->request().parent = fields.parent_topology_id;
    }
    job_->request().topology_name = fields.topology_name.value_or("");
    if (job_->lacks_name()) return refused(net::ImportRefusal::name_required, {});
    ImportOutcome outcome = job_->commit();
    if (outcome) return net::ImportAccepted{outcome->record};
    net::ImportRefused refusal =
        refused(reason_for(outcome.error().error.code), outcome.error().error.message);
    if (refusal.reason == net::ImportRefusal::failed)
      node_.note_failure(job_->request().caller, outcome.error().error);
    refusal.errors = std::move(outcome.error().errors.first);
    refusal.error_count = outcome.error().errors.count;
    return refusal;
  }

 private:
  Node& node_;
  std::unique_ptr<ImportJob> job_;
  std::unique_ptr<Slot> slot_;
};

net::ImportState state_of(engine::ImportStatus status) {
  switch (status) {
    case engine::ImportStatus::in_progress:
      return net::ImportState::in_progress;
    case engine::ImportStatus::complete:
      return net::ImportState::complete;
    case engine::ImportStatus::warnings:
      return net::ImportState::complete_with_warnings;
    case engine::ImportStatus::aborted:
      break;
  }
  return net::ImportState::aborted;
}

}  // namespace

std::optional<net::ImportRefused> Importer::admit(std::optional<std::uint64_t> declared) {
  if (!node_.writable())
    return refused(net::ImportRefusal::read_only, "the node is read-only: " + node_.reason());
  if (active_->load() >= kUploadsMax)
    return refused(net::ImportRefusal::busy, "too many imports are waiting; try again later");
  // E3: what an import needs besides the kept file is its journal and a checkpoint.
  if (declared && node_.free_bytes() < 3 * *declared)
    return refused(net::ImportRefusal::no_space, "not enough free space for this import");
  return std::nullopt;
}

tl::expected<std::unique_ptr<net::Upload>, net::ImportRefused> Importer::begin(
    const net::UploadInfo& info) {
  if (active_->fetch_add(1) >= kUploadsMax) {
    active_->fetch_sub(1);
    return tl::unexpected(
        refused(net::ImportRefusal::busy, "too many imports are waiting; try again later"));
  }
  auto slot = std::make_unique<Slot>(active_);
  ImportRequest request;
  request.caller = {engine::ActorKind::token, info.identity.client_name, info.client_address,
                    info.request_id};
  request.source = engine::ImportSource::api;
  request.file_name = info.file_name;
  request.token = info.identity.token_id;
  auto job = ImportJob::begin(node_, std::move(request));
  if (!job) {
    node_.note_failure(
        {engine::ActorKind::token, info.identity.client_name, info.client_address, info.request_id},
        job.error());
    return tl::unexpected(refused(net::ImportRefusal::failed, "the upload cannot be stored"));
  }
  return std::make_unique<HttpUpload>(node_, std::move(*job), std::move(slot));
}

std::optional<net::ImportRecord> Importer::record(std::uint64_t id, const net::Identity& identity) {
  const engine::StatePtr state = node_.version().state;
  const auto entry = state->catalog.imports.find(id);
  if (entry == nullptr || entry->token == 0 || entry->token != identity.token_id)
    return std::nullopt;
  net::ImportRecord record;
  record.id = id;
  record.imported_at = WallTime{entry->imported_at.seconds * 1'000'000};
  record.state = state_of(entry->status);
  record.message = entry->message;
  record.name = entry->name;
  return record;
}

}  // namespace netml::admin
