// The one way in for files, wherever they come from: what clients upload, what people send from the
// site, the command line and functional tests, what peers are polled for. A file is admitted before
// its first byte, written piece by piece, and finished in one of four ways.
//
// Owner: the services. Thread: any; an Upload belongs to one caller.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "admin/base/slots.hpp"
#include "admin/imports/import_job.hpp"
#include "admin/imports/import_queue.hpp"
#include "admin/node/node.hpp"
#include "net/http/limits.hpp"

namespace netml::admin {

// How many files are on their way in at once; those beyond are asked to come again.
struct IntakeLimits {
  // Those still being received count here alone: a slow one keeps nobody from importing. Polls and
  // files from the machine itself do not count.
  std::size_t received_at_once_max = 32;
  // Those of clients that were received whole: one import is applied, the others wait.
  std::size_t imports_waiting_max = 4;
  // Of each, with the form around it.
  NamedLimit bytes_max = net::upload_limit({});
};

// What becomes of a file.
enum class UploadEnd : std::uint8_t {
  import,   // at once: the result is what it changed
  queue,    // stored now, read and imported later: the result is its record
  plan,     // a plan that waits for somebody (docs/import-plans.md)
  dry_run,  // nothing
};

class Intake;

// One file on its way in. Destroyed without finish() = abandoned: nothing may remain of it.
class Upload {
 public:
  // An error when there is no room for more. A file that is beyond hope is still read to its end:
  // its record keeps the file's hash, and a client that is cut off in the middle of sending may
  // never see why.
  Status write(std::string_view piece);
  // What a form says of the file may arrive after it.
  ImportRequest& request() { return job_->request(); }
  // A spreadsheet without a name for its topology.
  bool lacks_name() const { return job_->lacks_name(); }
  // Of all that was written. Errc::io_error when it could not be stored.
  Result<Sha256> file_hash() { return job_->file_hash(); }

  // Returns once the answer may be given: when the import, the plan or the file is durable. Faults
  // of the node are in its log then.
  ImportOutcome finish(UploadEnd end, const AlsoChange& also = {});
  // Imports a file that says only what changed since others (ImportJob::commit_changes()); it was
  // begun to be read when it is stored.
  std::optional<ImportOutcome> finish_changes(const engine::FileChanges& changes,
                                              std::vector<std::string> changes_of,
                                              const AlsoChange& also);

 private:
  friend Intake;
  Upload(Intake& intake, std::unique_ptr<ImportJob> job, std::shared_ptr<void> receiving)
      : intake_(intake), job_(std::move(job)), receiving_(std::move(receiving)) {}
  ImportOutcome finished(UploadEnd end, const AlsoChange& also);
  ImportOutcome queued();

  Intake& intake_;
  const std::unique_ptr<ImportJob> job_;
  std::shared_ptr<void> receiving_;
};

class Intake {
 public:
  explicit Intake(Node& node, const IntakeLimits& limits = {})
      : node_(node),
        bytes_name_(limits.bytes_max.name),
        upload_bytes_max_(limits.bytes_max.value),
        received_(limits.received_at_once_max),
        waiting_(limits.imports_waiting_max + 1),
        known_(std::make_shared<KnownFiles>(node.memory(),
                                            &node.metrics().cache(CacheName::known_files))) {}

  // Where there is one; before the first file. It outlives the last.
  void use(ImportQueue& queue) {
    queue_ = &queue;
    queue.use(known_);
  }
  // For files that come from now on; any thread.
  void change(const IntakeLimits& limits) {
    upload_bytes_max_ = limits.bytes_max.value;
    received_.set_max(limits.received_at_once_max);
    waiting_.set_max(limits.imports_waiting_max + 1);
  }
  bool has_queue() const { return queue_ != nullptr; }
  // How uploads of clients end: as the setting IMPORT_ANSWER says (decision 10).
  UploadEnd end_for_clients() const;

  // The one bound on what is sent, which those who read it keep, too.
  NamedLimit bytes_max() const { return {bytes_name_, upload_bytes_max_}; }
  // Before the first byte: whether it may be so long, whether anything can be written at all, room
  // on the disk, in memory and in the queue (E3). The request need not name the file yet;
  // `file_bytes` is what was declared.
  std::optional<ImportFailure> admit(const ImportRequest& request, UploadEnd end) const;

  using Begun = tl::expected<std::unique_ptr<Upload>, ImportFailure>;
  Begun begin(ImportRequest request, ReadWhen when = ReadWhen::arriving);

 private:
  friend Upload;
  ImportFailure too_many_received() const;
  ImportFailure too_many_waiting() const;

  Node& node_;
  ImportQueue* queue_ = nullptr;
  const std::string_view bytes_name_;
  std::atomic<std::uint64_t> upload_bytes_max_;
  Slots received_;
  Slots waiting_;
  const std::shared_ptr<KnownFiles> known_;
};

}  // namespace netml::admin
