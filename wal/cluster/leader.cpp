#include "wal/cluster/leader.hpp"

#include "wal/cluster/shared_files.hpp"

namespace netml::wal {

namespace {
// Between two questions of which the first was not answered: it may have failed at once.
constexpr std::chrono::milliseconds kAskedAgain{50};
}  // namespace

void Leader::begin(OpenSharedLog open_log, Storage& uploads, Pause pause) {
  open_log_ = std::move(open_log);
  uploads_ = &uploads;
  pause_ = std::move(pause);
}

Status Leader::connect() {
  if (log_ != nullptr) return {};
  NETML_TRY(log_, open_log_());
  return {};
}

Status Leader::may_write() {
  NETML_TRY_VOID(standing_.may_write(options_.require_standby));
  if (!lease_.held()) return fail(Errc::unavailable, "the lease of this member has run out");
  return {};
}

Status Leader::append(const Append& group, std::span<const Sha256> files) {
  NETML_TRY_VOID(may_write());
  // What a transaction names is there before it, or comes with it.
  const Result<std::vector<SharedFile>> small = share_files(*log_, *uploads_, files);
  if (!small) return fail(Errc::unavailable, small.error().message);
  const std::optional<Epoch> epoch = lease_.held();
  if (!epoch) return fail(Errc::unavailable, "the lease of this member has run out");
  Append ours = group;
  ours.epoch = *epoch;
  ours.files = *small;
  const Appended appended = log_->append_if(ours);
  if (appended.outcome == Outcome::done) {
    standing_.note_group(group.after);
    return {};
  }
  // A call that arrives twice is refused the second time, by what it did the first time.
  if (appended.outcome == Outcome::refused && appended.found.head != group.after) {
    lease_.give_up();
    standing_.cease("another member has written: " + appended.reason);
    return fail(Errc::unavailable, "another member leads");
  }
  return resolve(ours);
}

// The barrier: once the lease is taken under another epoch, an append of the old one can come no
// more, and what it did is confirmed. Asking for the head alone would prove neither.
Status Leader::resolve(const Append& group) {
  Epoch seen = group.epoch;
  do {
    const std::chrono::nanoseconds asked = clock_.steady();
    const Leased taken = lease_.take(*log_, seen);
    if (taken.outcome == Outcome::done) {
      standing_.note(taken.found, asked);
      return decide(group, taken.found.head);
    }
    if (taken.outcome == Outcome::unknown)
      pause_(kAskedAgain);
    else if (taken.found.lease.holder != lease_.holder())
      return look_up(group);
    else
      seen = taken.found.lease.epoch;  // an earlier call for it has arrived after all
  } while (lease_.left() > std::chrono::nanoseconds(0));
  lease_.give_up();
  standing_.cease("the shared log did not say what became of a change");
  return fail(Errc::outcome_unknown,
              "unknown: the shared log may have the change or not, ask for it later");
}

Status Leader::decide(const Append& group, const Head& head) {
  if (head == group.after) {
    standing_.note_group(group.after);
    return {};
  }
  if (head == group.before)
    return fail(Errc::unavailable, "the shared log did not take the change");
  lease_.give_up();
  standing_.stop("the shared log has another history under this member's own lease: fork");
  return fail(Errc::outcome_unknown, "unknown: the history of the shared log has forked");
}

// Another member leads, under a later epoch: what it found is what there is.
Status Leader::look_up(const Append& group) {
  lease_.give_up();
  standing_.cease("another member leads");
  const std::chrono::nanoseconds until = clock_.steady() + options_.lease;
  do {
    const Result<bool> found = holds(group);
    if (found && *found) return {};
    if (found) return fail(Errc::unavailable, "another member leads");
    if (found.error().code != Errc::unavailable) break;
    pause_(kAskedAgain);
  } while (clock_.steady() < until);
  return fail(Errc::outcome_unknown,
              "unknown: the shared log may have the change or not, ask for it later");
}

Result<bool> Leader::holds(const Append& group) {
  // Confirmed, and with it the epoch that shuts out ours.
  NETML_TRY(const SharedHead found, log_->head());
  if (found.lease.epoch <= group.epoch) return fail(Errc::unavailable, "the epoch is an old one");
  if (found.head.lsn <= group.before.lsn) return false;
  NETML_TRY(const std::vector<SharedPiece> pieces, log_->read_from({group.before.lsn, 0}, 1));
  return !pieces.empty() && pieces.front().before == group.before &&
         pieces.front().after == group.after;
}

Status Leader::confirm() {
  NETML_TRY_VOID(may_write());
  const std::chrono::nanoseconds asked = clock_.steady();
  const Leased renewed = lease_.renew(*log_);
  if (renewed.outcome == Outcome::done) {
    standing_.note(renewed.found, asked);
    return {};
  }
  if (renewed.outcome == Outcome::refused) standing_.cease("another member leads");
  return fail(Errc::unavailable, "the lease could not be confirmed: " + renewed.reason);
}

void Leader::fell_behind(const Error& error) {
  static_cast<void>(resign("the own journal cannot be written: " + error.message).has_value());
}

Status Leader::resign(const std::string& reason) {
  if (standing_.role() != Role::leader && !lease_.held()) return {};
  standing_.cease(reason);
  NETML_TRY_VOID(connect());
  const Leased released = lease_.release(*log_);
  if (released.outcome == Outcome::done) return {};
  return fail(Errc::unavailable, "the lease runs out by itself: " + released.reason);
}

}  // namespace netml::wal
