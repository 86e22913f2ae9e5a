// Two threads for a member: one keeps the lease and reports, one follows and changes the role. Each
// has a connection of its own, as has the writer's thread while it leads, and whoever asks for
// what must be fresh: a long append must not keep the lease waiting.
#include "wal/cluster/membership.hpp"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "wal/cluster/member.hpp"
#include "wal/cluster/past_hashes.hpp"

namespace netml::wal {

namespace {
// How often the lease is looked after, against the third after which it is renewed.
constexpr int kLooksInLease = 12;
}  // namespace

class Membership::Impl {
 public:
  Impl(const Clock& clock, Random& random, OpenSharedLog open_log, MembershipOptions options)
      : options_(std::move(options)),
        open_log_(std::move(open_log)),
        member_(clock, random, options_) {}
  ~Impl() { stop(); }

  ClusterMember& member() { return member_; }
  Status begin(Storage& data, Writer& writer);
  MembershipStatus status() const;
  Result<Head> confirm_fresh();
  Result<Version> wait_for(Lsn lsn, std::chrono::nanoseconds at_most) const;
  Result<Sha256> hash_at(Lsn lsn);
  Result<std::vector<Member>> members();
  Status release();
  void stop();

 private:
  Status check_cluster();
  void keep();
  void follow();
  template <class Round>
  void repeat(const Round& round);
  void pass(std::chrono::nanoseconds time);
  bool stopping() const { return stopping_; }
  void tell_events();
  Result<SharedLog*> asking_log();

  const MembershipOptions options_;
  const OpenSharedLog open_log_;
  ClusterMember member_;
  Writer* writer_ = nullptr;
  NodeUuid cluster_;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<bool> stopping_ = false;  // set under mutex_
  std::mutex events_mutex_;             // held while they are reported, so that they come in order
  std::mutex asking_mutex_;
  std::unique_ptr<SharedLog> asking_;  // of callers; asking_mutex_
  std::optional<PastHashes> past_hashes_;
  std::thread keeping_;
  std::thread following_;
};

Status Membership::Impl::begin(Storage& data, Writer& writer) {
  NETML_ASSERT(writer_ == nullptr);
  const MemberStore store{
      [&writer](const std::function<Status(Store&)>& work) { return writer.run(work).get(); },
      [&writer] { return writer.published().head; },
      [&writer] { return writer.status().write_state == WriteState::writable; }};
  // Not cut short by stop(): who must find out what became of a group goes on until it knows.
  NETML_TRY_VOID(member_.begin(data, store, open_log_, [](std::chrono::nanoseconds time) {
    std::this_thread::sleep_for(time);
  }));
  past_hashes_.emplace(data);
  writer_ = &writer;
  cluster_ = member_.cluster();
  NETML_TRY_VOID(check_cluster());
  keeping_ = std::thread([this] { keep(); });
  following_ = std::thread([this] { follow(); });
  return {};
}

// What no waiting heals is said at once.
Status Membership::Impl::check_cluster() {
  const Result<std::unique_ptr<SharedLog>> log = open_log_();
  const Result<SharedHead> found = log ? (*log)->head() : tl::unexpected(log.error());
  const auto lasting = [](Errc code) {
    return code == Errc::conflict || code == Errc::newer_version || code == Errc::denied;
  };
  if (!found) return lasting(found.error().code) ? tl::unexpected(found.error()) : Status();
  if (found->cluster != cluster_)
    return fail(Errc::conflict, "the shared log belongs to cluster " + to_string(found->cluster) +
                                    ", this directory to " + to_string(cluster_));
  const Head own = writer_->published().head;
  if (found->head.lsn < own.lsn || (found->head.lsn == own.lsn && found->head != own))
    return fail(Errc::conflict, "the histories differ: the shared log is at " +
                                    to_string(found->head) + ", this directory at " +
                                    to_string(own));
  return {};
}

// ---- the threads ----

template <class Round>
void Membership::Impl::repeat(const Round& round) {
  std::unique_ptr<SharedLog> log;
  while (!stopping()) {
    if (log == nullptr) {
      auto opened = open_log_();
      if (opened) {
        log = *std::move(opened);
      } else {
        member_.standing().note_error(opened.error());
        pass(options_.lease / kLooksInLease);
        continue;
      }
    }
    round(*log);
    tell_events();
  }
}

void Membership::Impl::keep() {
  repeat([this](SharedLog& log) {
    member_.keep(log);
    pass(options_.lease / kLooksInLease);
  });
}

void Membership::Impl::follow() {
  repeat([this](SharedLog& log) {
    if (member_.follow(log)) return;
    const bool follows = member_.standing().role() == Role::follower;
    const bool waited = follows && member_.standing().status().last_error.empty() &&
                        log.wait_beyond(writer_->published().head.lsn, options_.poll).has_value();
    if (!waited) pass(options_.poll);
  });
}

void Membership::Impl::pass(std::chrono::nanoseconds time) {
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, time, [this] { return stopping(); });
}

void Membership::Impl::tell_events() {
  const std::lock_guard lock(events_mutex_);
  for (const RoleEvent& event : member_.standing().take_events()) {
    if (event.leads && options_.became_leader) options_.became_leader(event.epoch);
    if (!event.leads && options_.ceased_to_lead) options_.ceased_to_lead(event.reason);
  }
}

void Membership::Impl::stop() {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    stopping_ = true;
  }
  wake_.notify_all();
  if (keeping_.joinable()) keeping_.join();
  if (following_.joinable()) following_.join();
  // Who waits for the lease need not wait for its end.
  if (writer_ != nullptr) static_cast<void>(member_.release().has_value());
  member_.standing().stop("it was stopped");
  tell_events();
}

// ---- questions ----

MembershipStatus Membership::Impl::status() const {
  return writer_ == nullptr ? member_.standing().status() : member_.status();
}

Result<SharedLog*> Membership::Impl::asking_log() {
  if (asking_ == nullptr) {
    NETML_TRY(asking_, open_log_());
  }
  return asking_.get();
}

Result<Head> Membership::Impl::confirm_fresh() {
  const std::lock_guard lock(asking_mutex_);
  if (member_.standing().role() != Role::leader)
    return fail(Errc::unavailable, "this member does not lead");
  NETML_TRY(SharedLog* const log, asking_log());
  const Leased renewed = member_.renew(*log);
  if (renewed.outcome == Outcome::done) return writer_->published().head;
  return fail(Errc::unavailable, "the lease could not be confirmed: " + renewed.reason);
}

Result<Version> Membership::Impl::wait_for(Lsn lsn, std::chrono::nanoseconds at_most) const {
  if (writer_ == nullptr) return fail(Errc::unavailable, "the member has not begun");
  return writer_->wait_for(lsn, at_most);
}

Result<Sha256> Membership::Impl::hash_at(Lsn lsn) {
  if (writer_ == nullptr) return fail(Errc::unavailable, "the member has not begun");
  const Head own = writer_->published().head;
  if (lsn == own.lsn) return own.chain;
  if (lsn > own.lsn) return fail(Errc::not_found, "this member has not come so far");
  if (lsn == Lsn{}) return Chain::origin(cluster_);
  if (const std::optional<Sha256> hash = member_.standing().hash_at(lsn)) return *hash;
  return past_hashes_->at(lsn, {cluster_, own, *writer_->status().checkpoints});
}

Result<std::vector<Member>> Membership::Impl::members() {
  const std::lock_guard lock(asking_mutex_);
  NETML_TRY(SharedLog* const log, asking_log());
  return log->members();
}

Status Membership::Impl::release() {
  if (writer_ == nullptr) return {};
  return member_.release();
}

// ---- the class ----

Membership::Membership(const Clock& clock, Random& random, OpenSharedLog open_log,
                       MembershipOptions options)
    : impl_(std::make_unique<Impl>(clock, random, std::move(open_log), std::move(options))) {}

Membership::~Membership() = default;

GroupLog& Membership::group_log() {
  return impl_->member().leader();
}

Status Membership::begin(Storage& data, Writer& writer) {
  return impl_->begin(data, writer);
}

Role Membership::role() const {
  return impl_->member().standing().role();
}

MembershipStatus Membership::status() const {
  return impl_->status();
}

Result<Head> Membership::confirm_fresh() {
  return impl_->confirm_fresh();
}

Result<Version> Membership::wait_for(Lsn lsn, std::chrono::nanoseconds at_most) const {
  return impl_->wait_for(lsn, at_most);
}

Result<Sha256> Membership::hash_at(Lsn lsn) const {
  return impl_->hash_at(lsn);
}

Result<std::vector<Member>> Membership::members() {
  return impl_->members();
}

Status Membership::release() {
  return impl_->release();
}

void Membership::stop() {
  impl_->stop();
}

}  // namespace netml::wal
