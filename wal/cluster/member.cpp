#include "wal/cluster/member.hpp"

#include <array>
#include <utility>

namespace netml::wal {

namespace {

constexpr std::size_t kMemberNameBytesMax = 180;
constexpr std::chrono::hours kForgetsEvery{1};

// One run of the member: a zombie and its restarted self are two.
std::string new_holder(const std::string& name, Random& random) {
  std::array<std::byte, 8> run;
  random.fill(run);
  return name + "#" + to_hex(run);
}

Status check_options(const MembershipOptions& options) {
  const std::string& name = options.name;
  if (name.empty() || name.size() > kMemberNameBytesMax || name.find('#') != std::string::npos)
    return fail(Errc::invalid_input, "name", "must have 1 to 180 bytes without '#'");
  if (options.address.empty()) return fail(Errc::invalid_input, "address", "must not be empty");
  if (options.lease <= std::chrono::nanoseconds(0))
    return fail(Errc::invalid_input, "lease", "must be longer than nothing");
  return {};
}

}  // namespace

ClusterMember::ClusterMember(const Clock& clock, Random& random, const MembershipOptions& options)
    : clock_(clock),
      options_(options),
      standing_(clock),
      lease_(clock, new_holder(options.name, random), options.lease),
      leader_(clock, lease_, standing_, options_) {}

// What the shared log has is in our format, so the directory goes over to it first.
Status ClusterMember::begin(Storage& data, MemberStore store, OpenSharedLog open_log, Pause pause) {
  NETML_TRY_VOID(check_options(options_));
  NETML_TRY(data_, open_data_directory(data));
  store_ = std::move(store);
  NETML_TRY_VOID(store_.run([&](Store& opened) -> Status {
    cluster_ = opened.manifest().node;
    if (opened.manifest().format >= format::kVersion) return {};
    return opened.checkpoints().raise_format(format::kVersion);
  }));
  follower_.emplace(clock_, standing_, store_, data_, cluster_);
  leader_.begin(std::move(open_log), *data_.uploads, std::move(pause));
  return {};
}

// ---- the lease ----

void ClusterMember::keep(SharedLog& log) {
  if (standing_.role() == Role::stopped) return;
  if (standing_.role() == Role::leader || lease_.held())
    keep_lease(log);
  else
    watch(log);
  report(log);
}

void ClusterMember::keep_lease(SharedLog& log) {
  if (!lease_.held()) {
    lease_.give_up();  // a renewal still under way must not keep it for a member that does not lead
    standing_.cease("the lease has run out");
  }
  if (!store_.writable()) {
    standing_.cease("the own journal cannot be written");
    put_off();
    static_cast<void>(lease_.release(log));
    return;
  }
  if (!lease_.held() || !lease_.renewal_due()) return;
  const Leased renewed = renew(log);
  if (renewed.outcome == Outcome::unknown)
    standing_.note_error({Errc::unavailable, renewed.reason});
}

// Whoever renews: the lease is not looked after as long as others do.
Leased ClusterMember::renew(SharedLog& log) {
  const std::chrono::nanoseconds asked = clock_.steady();
  Leased renewed = lease_.renew(log);
  if (renewed.outcome == Outcome::done) note(renewed.found, asked);
  if (renewed.outcome == Outcome::refused) standing_.cease("another member leads");
  return renewed;
}

void ClusterMember::watch(SharedLog& log) {
  const std::chrono::nanoseconds asked = clock_.steady();
  const Result<SharedHead> found = log.head();
  if (!found) return note_error(found.error());
  if (found->cluster != cluster_)
    return standing_.stop("the shared log belongs to cluster " + to_string(found->cluster));
  note(*found, asked);
  standing_.follow();
  if (may_take(*found)) take_lease(log, *found);
}

// Whoever lacks something first reads it: nobody appends meanwhile.
bool ClusterMember::may_take(const SharedHead& found) const {
  if (!options_.may_lead || standing_.role() != Role::follower) return false;
  const bool free = found.lease.left <= std::chrono::nanoseconds(0);
  if (!free && found.lease.holder != lease_.holder()) return false;
  if (options_.require_standby && !found.synchronous) return false;
  const std::lock_guard lock(mutex_);
  return clock_.steady() >= not_before_ && store_.writable() && store_.head() == found.head;
}

// Unknown: the next look at the head shows whether it is ours, and takes it once more.
void ClusterMember::take_lease(SharedLog& log, const SharedHead& found) {
  const std::chrono::nanoseconds asked = clock_.steady();
  const Leased taken = lease_.take(log, found.lease.epoch);
  if (taken.outcome == Outcome::done) note(taken.found, asked);
}

void ClusterMember::put_off() {
  const std::lock_guard lock(mutex_);
  not_before_ = clock_.steady() + options_.lease;
}

Status ClusterMember::release() {
  put_off();
  return store_.run([&](Store&) { return leader_.resign("it was asked to let another lead"); });
}

// ---- what the shared log says ----

// By the own clock: one that was stopped for a while may lead no more, and not know it yet.
MembershipStatus ClusterMember::status() const {
  MembershipStatus status = standing_.status();
  status.own = store_.head();
  if (status.shared.lsn > status.own.lsn)
    status.behind = status.shared.lsn.value - status.own.lsn.value;
  status.lease_left = lease_.left();
  if (status.role == Role::leader && status.lease_left > std::chrono::nanoseconds(0))
    status.lag = {};
  return status;
}

void ClusterMember::note(const SharedHead& found, std::chrono::nanoseconds asked) {
  const Head own = store_.head();
  if (found.head.lsn == own.lsn && found.head.chain != own.chain)
    return standing_.stop("the histories differ: at LSN " + std::to_string(own.lsn.value) +
                          " the shared log is at " + to_string(found.head) + ", this member at " +
                          to_string(own));
  standing_.note(found, asked);
  standing_.note_own(own);
}

// Some errors are not healed by trying again.
void ClusterMember::note_error(const Error& error) {
  standing_.note_error(error);
  switch (error.code) {
    case Errc::conflict:
      return standing_.stop("this is not the log of this member's history: " + error.message);
    case Errc::not_found:
      return standing_.stop("the shared log begins later, take a checkpoint of another member: " +
                            error.message);
    case Errc::newer_version:
      return standing_.stop("a newer version is needed: " + error.message);
    default:
      return;
  }
}

void ClusterMember::report(SharedLog& log) {
  if (standing_.role() == Role::stopped) return;
  if (ever_reported_ && clock_.steady() - reported_ < options_.report) return;
  reported_ = clock_.steady();
  ever_reported_ = true;
  static_cast<void>(
      log.report({options_.name, options_.address, store_.head(), options_.version, {}})
          .has_value());  // it comes again
  const std::string leader = name_of_holder(standing_.seen().lease.holder);
  const MembershipStatus status = standing_.status();
  if (leader.empty() || !status.leader_address.empty() || status.role == Role::leader) return;
  const auto members = log.members();
  if (!members) return;
  for (const Member& member : *members)
    if (member.name == leader) standing_.note_address(leader, member.address);
}

// ---- following ----

bool ClusterMember::follow(SharedLog& log) {
  const Role role = standing_.role();
  if (role == Role::leader) forget_old(log);
  if (role != Role::follower) return false;
  const Result<bool> more = follower_->step(log);
  if (!more) {
    note_error(more.error());
    return false;
  }
  standing_.note_success();
  if (!*more) lead_if_complete();
  return *more;
}

// Some in each round, so that a large part does not hold up what follows. What failed is tried
// again the next time.
void ClusterMember::forget_old(SharedLog& log) {
  if (options_.keep <= std::chrono::nanoseconds(0) || clock_.steady() < forgets_at_) return;
  const Result<bool> more = log.forget(store_.head().lsn, options_.keep);
  if (!more || !*more) forgets_at_ = clock_.steady() + kForgetsEvery;
}

// Decided on the store's thread, so that no group is under way: of an earlier lease, say.
void ClusterMember::lead_if_complete() {
  if (!lease_.held()) return;
  const Status led = store_.run([&](Store& store) -> Status {
    const std::optional<Epoch> epoch = lease_.held();
    if (!epoch || store.head_hash() != lease_.taken_at()) return {};
    NETML_TRY_VOID(leader_.connect());
    NETML_TRY_VOID(store.log().begin_leading());
    standing_.lead(*epoch);
    return {};
  });
  if (!led) standing_.note_error(led.error());
}

}  // namespace netml::wal
