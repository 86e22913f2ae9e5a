#include "admin/imports/importer.hpp"

#include <fmt/format.h>

#include "admin/base/import_memory.hpp"
#include "codecs/formats/file_format.hpp"
#include "engine/base/utf8.hpp"

namespace netml::admin {

namespace {

net::ImportRefused refused(net::ImportRefusal reason, std::string detail) {
  net::ImportRefused refusal;
  refusal.reason = reason;
  refusal.detail = std::move(detail);
  return refusal;
}

// Of files whose name is not known yet, as of those that take the least.
constexpr std::string_view kAnyText = ".xml";

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
    case Errc::no_space:
      return net::ImportRefusal::read_only;
    case Errc::io_error:
    case Errc::corruption:
    case Errc::newer_version:
    case Errc::denied:
    case Errc::internal:
      break;
  }
  return net::ImportRefusal::failed;
}

// Of a file that can never be imported.
std::optional<net::ImportRefused> check_memory(Node& node, std::string_view file_name,
                                               std::uint64_t bytes) {
  const Status possible = node.memory().check_possible(import_memory_bytes(file_name, bytes));
  if (possible) return std::nullopt;
  return refused(net::ImportRefusal::no_space, possible.error().message);
}

net::ImportRefused busy() {
  return refused(net::ImportRefusal::busy, "too many imports are waiting; try again later");
}

class HttpUpload : public net::Upload {
 public:
  HttpUpload(Node& node, Slots& imports, std::unique_ptr<ImportJob> job,
             std::shared_ptr<void> receiving)
      : node_(node), imports_(imports), job_(std::move(job)), receiving_(std::move(receiving)) {}

  // A file that is beyond hope is still read to its end: its record keeps the file's hash, and a
  // client that is cut off in the middle of sending may never see why.
  std::optional<net::ImportRefused> write(std::string_view piece) override {
    job_->write(piece);
    if (job_->reading()) return std::nullopt;
    return refused(net::ImportRefusal::no_space, job_->reading().error().message);
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
    const std::shared_ptr<void> importing = imports_.take();
    if (!importing) return busy();
    receiving_.reset();
    ImportOutcome outcome = job_->commit();
    if (outcome) return net::ImportAccepted{outcome->record};
    net::ImportRefused refusal =
        refused(reason_for(outcome.error().error.code), outcome.error().error.text());
    if (refusal.reason == net::ImportRefusal::failed)
      node_.note_failure(job_->request().caller, outcome.error().error);
    if (outcome.error().no_room) refusal.reason = net::ImportRefusal::no_space;
    if (outcome.error().plan != 0) refusal.reason = net::ImportRefusal::held;
    refusal.errors = std::move(outcome.error().errors.first);
    refusal.error_count = outcome.error().errors.count;
    return refusal;
  }

 private:
  Node& node_;
  Slots& imports_;
  std::unique_ptr<ImportJob> job_;
  std::shared_ptr<void> receiving_;
};

// Stored now, read later (decision 10). Only what the reference node judges before it answers is
// judged here.
class QueuedUpload : public net::Upload {
 public:
  QueuedUpload(Node& node, ImportQueue& queue, ImportRequest request, std::unique_ptr<Spool> spool,
               std::shared_ptr<void> receiving)
      : node_(node),
        queue_(queue),
        request_(std::move(request)),
        is_text_(codecs::format_of(request_.file_name) != codecs::FileFormat::xlsx),
        spool_(std::move(spool)),
        receiving_(std::move(receiving)) {}

  std::optional<net::ImportRefused> write(std::string_view piece) override {
    if (const Status stored = spool_->write(piece); !stored)
      return refused(net::ImportRefusal::no_space, stored.error().message);
    if (is_text_) static_cast<void>(encoding_.push(piece));
    return std::nullopt;
  }

  net::ImportOutcome finish(const net::UploadFields& fields) override {
    if (is_text_ && !encoding_.finish())
      return refused(net::ImportRefusal::invalid, "the file is not in UTF-8");
    if (fields.parent_topology_id) {
      const engine::StatePtr state = node_.version().state;
      const auto parent = find_topology(state->graph, *fields.parent_topology_id);
      if (!parent) return refused(net::ImportRefusal::unknown_parent, parent.error().message);
      request_.parent_record = *parent;
    }
    request_.topology_name = fields.topology_name.value_or("");
    if (!is_text_ && request_.topology_name.empty())
      return refused(net::ImportRefusal::name_required, {});
    if (auto refusal = check_memory(node_, request_.file_name, spool_->size())) return *refusal;
    const Result<std::uint64_t> record = queue_.add(request_, *spool_);
    if (record) return net::ImportAccepted{*record};
    const net::ImportRefusal reason = reason_for(record.error().code);
    if (reason == net::ImportRefusal::failed) node_.note_failure(request_.caller, record.error());
    return refused(reason, record.error().text());
  }

 private:
  Node& node_;
  ImportQueue& queue_;
  ImportRequest request_;
  const bool is_text_;
  Utf8Checker encoding_;
  std::unique_ptr<Spool> spool_;
  std::shared_ptr<void> receiving_;
};

using BegunUpload = Result<std::unique_ptr<net::Upload>>;

BegunUpload begin_immediate(Node& node, Slots& imports, ImportRequest request,
                            std::shared_ptr<void> receiving) {
  NETML_TRY(auto job, ImportJob::begin(node, std::move(request)));
  return std::make_unique<HttpUpload>(node, imports, std::move(job), std::move(receiving));
}

BegunUpload begin_queued(Node& node, ImportQueue& queue, ImportRequest request,
                         std::shared_ptr<void> receiving) {
  NETML_TRY(auto spool, Spool::create(node.directory(), node.random(), node.memory()));
  return std::make_unique<QueuedUpload>(node, queue, std::move(request), std::move(spool),
                                        std::move(receiving));
}

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

bool Importer::queues() const {
  return queue_ != nullptr &&
         setting_value(node_.version().state->catalog, kImportAnswer, node_.mode()) == "Queued";
}

net::RefusalShape Importer::refusal_shape() const {
  return queues() ? net::RefusalShape::text : net::RefusalShape::object;
}

std::optional<net::ImportRefused> Importer::admit(std::optional<std::uint64_t> declared) {
  if (!node_.writable())
    return refused(net::ImportRefusal::read_only, "the node is read-only: " + node_.reason());
  const bool queued = queues();
  if (received_.full() || (!queued && imports_.full())) return busy();
  if (queued)
    if (const Status room = queue_->check_room(); !room)
      return refused(net::ImportRefusal::busy, room.error().message);
  if (declared)
    if (auto refusal = check_memory(node_, kAnyText, *declared)) return refusal;
  // E3: what an import needs besides the kept file is its journal and a checkpoint.
  if (declared && node_.free_bytes() < 3 * *declared)
    return refused(net::ImportRefusal::no_space, "not enough free space for this import");
  return std::nullopt;
}

tl::expected<std::unique_ptr<net::Upload>, net::ImportRefused> Importer::begin(
    const net::UploadInfo& info) {
  std::shared_ptr<void> receiving = received_.take();
  if (!receiving) return tl::unexpected(busy());
  if (auto refusal = check_memory(node_, info.file_name, info.body_bytes.value_or(0)))
    return tl::unexpected(*std::move(refusal));
  ImportRequest request;
  request.caller = {engine::ActorKind::token, info.identity.client_name, info.client_address,
                    info.request_id};
  request.source = engine::ImportSource::api;
  request.file_name = info.file_name;
  request.token = info.identity.token_id;
  request.token_client_name = info.identity.client_name;
  request.file_bytes = info.body_bytes.value_or(0);
  const Caller caller = request.caller;
  auto upload = queues()
                    ? begin_queued(node_, *queue_, std::move(request), std::move(receiving))
                    : begin_immediate(node_, imports_, std::move(request), std::move(receiving));
  if (upload) return std::move(*upload);
  node_.note_failure(caller, upload.error());
  return tl::unexpected(refused(reason_for(upload.error().code), "the upload cannot be stored"));
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
