#include "wal/commit/store.hpp"

#include <fmt/format.h>

#include <utility>

namespace netml::wal {

Store::Store(Storage& data, const Clock& clock, const StoreOptions& options)
    : clock_(clock),
      options_(options),
      parallel_(options.parallel != nullptr ? *options.parallel : inline_),
      root_(data),
      reserve_(root_, options.ballast_bytes, options.free_bytes_min),
      log_(data_, reserve_, parallel_, options.group_log),
      checkpoints_(data_, log_, clock_, parallel_, options_) {}

Result<std::unique_ptr<Store>> Store::open(Storage& data, const Clock& clock, Random& random,
                                           const StoreOptions& options) {
  std::unique_ptr<Store> store(new Store(data, clock, options));
  NETML_TRY_VOID(store->recover_data(random));
  return store;
}

Status Store::recover_data(Random& random) {
  NETML_TRY_VOID(root_.check_private());
  NETML_TRY(const bool created, is_new(root_));
  if (created) NETML_TRY_VOID(initialise(root_, random, options_.mode));
  Result<DataDirectory> directory = open_data_directory(root_);
  if (!directory)
    return fail(Errc::corruption, fmt::format("{}: the data directory is not complete: {}",
                                              root_.path(), directory.error().message));
  data_ = std::move(*directory);
  // A run that was killed may have left names in the page cache only. What this start goes by must
  // outlast a power cut before anything is built on it, cut or deleted.
  NETML_TRY_VOID(root_.sync());
  NETML_TRY_VOID(data_.journal->sync());
  NETML_TRY(Recovered recovered,
            recover(data_, clock_, parallel_, {.proved_bytes = options_.proved_bytes}));
  recovered.report.created = created;
  return resolve(std::move(recovered));
}

Status Store::resolve(Recovered recovered) {
  graph_file_ = recovered.graph_file;
  if (!recovered.proved) unproved_ = graph_file_;
  NETML_TRY_VOID(remove_unfinished(data_));
  NETML_TRY_VOID(checkpoints_.start(recovered));
  NETML_TRY_VOID(log_.start(recovered, options_.journal, checkpoints_));
  report_ = std::move(recovered.report);
  if (const auto space = data_.root->space(); space && space->network_file_system)
    report_.warnings.push_back(fmt::format(
        "{} is on a network file system, where locks and syncs may not hold", data_.root->path()));
  checkpoints_.check_published(report_);
  const bool checkpoint_wanted = recovered.checkpoint_wanted;
  log_.keep_cut_off(std::move(recovered));
  if (write_state() != WriteState::writable) return {};
  // A checkpoint and the reserve can wait; whoever wants the data cannot.
  if (checkpoint_wanted)
    if (const Status taken = checkpoint(); !taken) {
      if (taken.error().code != Errc::no_space) return taken;
      report_.warnings.push_back("no checkpoint could be taken: " + taken.error().message);
    }
  if (const Status made = reserve_.make(); !made)
    report_.warnings.push_back("there is no reserve for a full disk: " + made.error().message);
  return {};
}

Status Store::note_proof(Status proof) {
  if (unproved_ == nullptr) return {};  // it is known
  const Lsn lsn = report_.checkpoint;
  unproved_.reset();
  if (proof) return {};
  damaged_ = true;
  const Status rejected = checkpoints_.reject(lsn);
  return log_.latching([&]() -> Status {
    return fail(Errc::corruption,
                fmt::format("the checkpoint at LSN {} is damaged ({}); {}", lsn.value,
                            proof.error().message,
                            rejected ? "start the node again: it goes by the one before"
                                     : "and it stays in use: " + rejected.error().message));
  });
}

Status Store::note_looked() {
  if (unproved_ == nullptr) return {};
  Status looked = unproved_->looked();
  return looked ? looked : note_proof(std::move(looked));
}

StartProof Store::start_proof() const {
  using Step = StartProof::Step;
  return {damaged_               ? Step::damaged
          : unproved_ != nullptr ? Step::under_way
                                 : Step::proved,
          graph_file_};
}

Result<Lsn> Store::append(const engine::Transaction& transaction) {
  NETML_TRY(engine::State after, log_.append_effects(transaction));
  return log_.append_commit(transaction, std::move(after));
}

Status Store::confirm() {
  Status confirmed = log_.confirm();
  log_.advance_head();
  return confirmed;
}

Status Store::sync() {
  NETML_TRY_VOID(log_.sync());
  log_.advance_head();
  return {};
}

Status Store::resume() {
  NETML_TRY_VOID(log_.resume());
  NETML_TRY_VOID(log_.latching([&] { return checkpoints_.save_stale(); }));
  return log_.abort_open("the disk was full");
}

// Sealed and all of it in a checkpoint: the next start reads nothing of the journal.
Status Store::close() {
  NETML_TRY_VOID(sync());
  const bool wrote = manifest().clean_stop == false;
  if (!checkpoints_.has_head())
    if (Status taken = checkpoint(); !taken) {
      // Or the next start would need room for a segment to write again what is durable.
      static_cast<void>((watermark() && sync()));
      return taken;
    }
  // The part of a transaction that a member of a cluster has is not sealed: the rest follows.
  if (!wrote || !log_.ends_at_head()) return {};
  NETML_TRY(const auto sealed, log_.seal_last());
  return checkpoints_.note_clean_stop(sealed);
}

Status Store::keep_upload(std::string_view name, const Sha256& hash, StoredAs how) {
  NETML_TRY_VOID(wal::keep_upload(data_, name, hash, how));
  return checkpoints_.note_upload(hash);
}

}  // namespace netml::wal
