#include "admin/imports/intake.hpp"

#include "admin/base/import_memory.hpp"
#include "admin/base/limits.hpp"
#include "admin/settings/settings.hpp"
#include "net/http/http.hpp"

namespace netml::admin {

namespace {

// What passes by itself, and names what may be raised.
ImportFailure busy(std::string_view what, const NamedLimit& limit) {
  return {.error = {Errc::unavailable, beyond_limit(what, limit) + ", or try again later"}};
}

// Of a file that can never be imported. One whose name is not known yet is taken for a text, which
// takes the least.
std::optional<ImportFailure> check_memory(const Node& node, const ImportRequest& request,
                                          std::uint64_t bytes) {
  const Status possible = node.memory().check_possible(
      import_memory_bytes(codecs::chosen_format(request.format, request.file_name), bytes));
  if (possible) return std::nullopt;
  return ImportFailure{.error = possible.error(), .no_room = true};
}

// Polls are bounded where they begin. Whoever works at the machine must get in while clients hold
// all places, however slowly they send.
bool takes_place(const ImportRequest& request) {
  return request.source != engine::ImportSource::poll &&
         request.source != engine::ImportSource::command_line;
}

// Clients are many, and wait for the writer with a worker each. Those who look after the node are
// few, and are not sent away for them.
bool may_wait_long(const ImportRequest& request, UploadEnd end) {
  return end == UploadEnd::import && request.source == engine::ImportSource::api;
}

// What a client can do nothing about.
void note_own_fault(Node& node, const Caller& caller, const Error& error) {
  if (net::http_status(error.code) == 500) node.note_failure(caller, error);
}

}  // namespace

UploadEnd Intake::end_for_clients() const {
  const bool early = queue_ != nullptr && setting_value(node_.version().state->catalog,
                                                        kImportAnswer, node_.mode()) == "Queued";
  return early ? UploadEnd::queue : UploadEnd::import;
}

ImportFailure Intake::too_many_received() const {
  return busy("uploads at once", {limit_names::kUploadsAtOnce, received_.max()});
}

ImportFailure Intake::too_many_waiting() const {
  return busy("imports that wait", {limit_names::kImportsWaiting, waiting_.max() - 1});
}

// A dry run reads the file, and no more.
std::optional<ImportFailure> Intake::admit(const ImportRequest& request, UploadEnd end) const {
  // A server reads no longer body of the command line either; without one it takes any file.
  const bool bounded = request.source != engine::ImportSource::command_line;
  if (const NamedLimit limit = bytes_max(); bounded && request.file_bytes > limit.value)
    return ImportFailure{.error = {Errc::too_large, beyond_limit("bytes of the body", limit)}};
  const bool writes = end != UploadEnd::dry_run;
  if (writes && !node_.writable())
    return ImportFailure{.error = {Errc::unavailable, "the node is read-only: " + node_.reason()}};
  if (takes_place(request) && received_.full()) return too_many_received();
  if (may_wait_long(request, end) && waiting_.full()) return too_many_waiting();
  if (end == UploadEnd::queue)
    if (const Status room = queue_->check_room(); !room)
      return ImportFailure{.error = room.error()};
  if (auto lack = check_memory(node_, request, request.file_bytes)) return lack;
  // E3: what an import needs besides the stored file is its journal and a checkpoint.
  if (writes && node_.free_bytes() < 3 * request.file_bytes)
    return ImportFailure{.error = {Errc::no_space, "not enough free space for this import"},
                         .no_room = true};
  return std::nullopt;
}

Intake::Begun Intake::begin(ImportRequest request, ReadWhen when) {
  std::shared_ptr<void> receiving;
  if (takes_place(request)) {
    receiving = received_.take();
    if (!receiving) return tl::unexpected(too_many_received());
  }
  if (auto lack = check_memory(node_, request, request.file_bytes))
    return tl::unexpected(*std::move(lack));
  const Caller caller = request.caller;
  auto job = ImportJob::begin(node_, std::move(request), when, known_);
  if (job) return std::unique_ptr<Upload>(new Upload(*this, std::move(*job), std::move(receiving)));
  note_own_fault(node_, caller, job.error());
  return tl::unexpected(ImportFailure{.error = std::move(job).error()});
}

Status Upload::write(std::string_view piece) {
  job_->write(piece);
  const Status& reading = job_->reading();
  if (!reading) note_own_fault(intake_.node_, job_->request().caller, reading.error());
  return reading;
}

ImportOutcome Upload::finish(UploadEnd end, const AlsoChange& also) {
  ImportOutcome outcome = finished(end, also);
  if (!outcome) note_own_fault(intake_.node_, job_->request().caller, outcome.error().error);
  return outcome;
}

std::optional<ImportOutcome> Upload::finish_changes(const engine::FileChanges& changes,
                                                    std::vector<std::string> changes_of,
                                                    const AlsoChange& also) {
  auto outcome = job_->commit_changes(changes, std::move(changes_of), also);
  if (outcome && !*outcome)
    note_own_fault(intake_.node_, job_->request().caller, outcome->error().error);
  return outcome;
}

ImportOutcome Upload::finished(UploadEnd end, const AlsoChange& also) {
  std::shared_ptr<void> waiting;
  if (may_wait_long(job_->request(), end)) {
    waiting = intake_.waiting_.take();
    if (!waiting) return tl::unexpected(intake_.too_many_waiting());
  }
  receiving_.reset();
  switch (end) {
    case UploadEnd::import:
      return job_->commit(also);
    case UploadEnd::queue:
      return queued();
    case UploadEnd::plan:
      return job_->keep_plan();
    case UploadEnd::dry_run:
      return job_->dry_run();
  }
  return tl::unexpected(ImportFailure{});
}

ImportOutcome Upload::queued() {
  if (auto lack = check_memory(intake_.node_, job_->request(), job_->file_bytes()))
    return tl::unexpected(*std::move(lack));
  const Result<std::uint64_t> record = intake_.queue_->add(*job_);
  if (!record) return tl::unexpected(ImportFailure{.error = record.error()});
  ImportResult result;
  result.record = *record;
  result.status = engine::ImportStatus::in_progress;
  return result;
}

}  // namespace netml::admin
