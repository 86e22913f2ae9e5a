// The fate of each call is decided before it begins; what the engine does is one step, as a
// transaction is. Between steps, what was delayed arrives when it is due.
#include "tests/support/sim_shared_log.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace netml::testing {

using wal::Appended;
using wal::Leased;
using wal::Outcome;
using wal::SharedHead;
using wal::SharedPiece;

namespace {

constexpr const char* kNoAnswer = "no answer from the model";

std::int64_t microseconds(std::chrono::nanoseconds time) {
  return std::chrono::duration_cast<std::chrono::microseconds>(time).count();
}

}  // namespace

std::string to_string(CallFate fate) {
  switch (fate) {
    case CallFate::arrives:
      return "arrives";
    case CallFate::lost:
      return "lost";
    case CallFate::unanswered:
      return "unanswered";
    case CallFate::delayed:
      return "delayed";
    case CallFate::duplicated:
      return "duplicated";
    case CallFate::cancelled:
      return "cancelled";
  }
  NETML_ASSERT(false);
}

SimSharedLog::Decide random_fates(std::uint64_t seed, unsigned percent) {
  return [random = std::mt19937_64(seed), percent](std::uint64_t, const std::string&) mutable {
    if (random() % 100 >= percent) return CallFate::arrives;
    return static_cast<CallFate>(1 + random() % (kCallFates - 1));
  };
}

// ---- the network ----

SimSharedLog::SimSharedLog(ManualClock& clock, const Options& options)
    : clock_(clock), options_(options), delays_(options.seed) {
  primary_.head = options.start;
  primary_.begins = options.start.lsn;
  standby_data_ = primary_;
}

template <class Answer>
Answer SimSharedLog::call(const std::string& name, const Answer& in_doubt,
                          std::function<Answer()> act) {
  const CallFate fate = begin_call(name);
  if (fate == CallFate::lost || fate == CallFate::delayed) {
    if (fate == CallFate::delayed) delay([act = std::move(act)] { static_cast<void>(act()); });
    wait_in_vain();
    return in_doubt;
  }
  Answer answer = act();
  if (fate == CallFate::cancelled) return in_doubt;
  const bool confirmed = confirm();
  if (fate == CallFate::duplicated) delay([act = std::move(act)] { static_cast<void>(act()); });
  if (confirmed && fate != CallFate::unanswered) return answer;
  wait_in_vain();
  return in_doubt;
}

CallFate SimSharedLog::begin_call(const std::string& name) {
  clock_.advance(options_.round_trip);
  deliver(clock_.steady());
  ++calls_;
  return decide_ ? decide_(calls_, name) : CallFate::arrives;
}

void SimSharedLog::delay(std::function<void()> act) {
  const auto choices = (options_.delay_max - options_.delay_min).count() + 1;
  const auto more = static_cast<std::int64_t>(delays_() % static_cast<std::uint64_t>(choices));
  delayed_.push_back(
      {clock_.steady() + options_.delay_min + std::chrono::nanoseconds(more), std::move(act)});
}

void SimSharedLog::deliver_delayed() {
  deliver(std::nullopt);
}

// What is due by then, or all; nobody waits for the answers any more.
void SimSharedLog::deliver(std::optional<std::chrono::nanoseconds> due) {
  while (!delayed_.empty()) {
    const auto first = std::ranges::min_element(delayed_, {}, &Delayed::due);
    if (due && first->due > *due) return;
    const std::function<void()> act = std::move(first->act);
    delayed_.erase(first);
    act();
    static_cast<void>(confirm());
  }
}

// Whether all that the primary has may be shown.
bool SimSharedLog::confirm() {
  if (!unconfirmed_) return true;
  switch (standby_) {
    case Standby::synchronous:
      standby_data_ = primary_;
      unconfirmed_ = false;
      return true;
    case Standby::stalled:
      return false;
    case Standby::gone:
      return true;
  }
  NETML_ASSERT(false);
}

void SimSharedLog::set_standby(Standby standby) {
  standby_ = standby;
  if (standby == Standby::synchronous) static_cast<void>(confirm());
}

void SimSharedLog::fail_over() {
  delayed_.clear();
  primary_ = standby_data_;
  unconfirmed_ = false;
  standby_ = Standby::synchronous;
}

// ---- the engine: head and lease ----

SharedHead SimSharedLog::stands() const {
  SharedHead found;
  found.cluster = options_.cluster;
  found.head = primary_.head;
  found.lease.holder = primary_.holder;
  found.lease.epoch = primary_.epoch;
  if (!primary_.holder.empty())
    found.lease.left = std::chrono::microseconds(primary_.until - now());
  found.synchronous = standby_ == Standby::synchronous;
  return found;
}

Appended SimSharedLog::append(const Group& group) {
  if (primary_.head != group.before || primary_.epoch != group.epoch)
    return {Outcome::refused, stands(), "another head or epoch"};
  Group stored = group;
  stored.at = now();
  primary_.groups.emplace(group.before.lsn, std::move(stored));
  primary_.head = group.after;
  for (const wal::SharedFile& file : group.files)
    static_cast<void>(put(file.upload, 0, file.bytes).has_value());
  changed();
  return {Outcome::done, {}, {}};
}

Leased SimSharedLog::refuse_lease(std::string reason) const {
  return {Outcome::refused, stands(), std::move(reason)};
}

bool SimSharedLog::holds(const std::string& holder, wal::Epoch epoch) const {
  return !holder.empty() && primary_.holder == holder && primary_.epoch == epoch;
}

Leased SimSharedLog::take(const std::string& holder, wal::Epoch seen,
                          std::chrono::nanoseconds length) {
  if (holder.empty() || holder.size() > wal::kSharedNameBytesMax)
    return {Outcome::refused, {}, "no name of a holder"};
  if (primary_.epoch != seen) return refuse_lease("another epoch");
  const bool free = primary_.holder.empty() || primary_.until <= now();
  if (!free && primary_.holder != holder) return refuse_lease("another holder");
  primary_.epoch = wal::Epoch{seen.value + 1};
  primary_.holder = holder;
  primary_.until = now() + microseconds(length);
  changed();
  return {Outcome::done, stands(), {}};
}

Leased SimSharedLog::renew(const std::string& holder, wal::Epoch epoch,
                           std::chrono::nanoseconds length) {
  if (!holds(holder, epoch)) return refuse_lease("another lease");
  primary_.until = now() + microseconds(length);
  changed();
  return {Outcome::done, stands(), {}};
}

Leased SimSharedLog::release(const std::string& holder, wal::Epoch epoch) {
  if (!holds(holder, epoch)) return refuse_lease("another lease");
  primary_.holder.clear();
  primary_.until = 0;
  changed();
  return {Outcome::done, stands(), {}};
}

// ---- the engine: reading ----

Result<std::vector<SharedPiece>> SimSharedLog::read(const wal::ReadPlace& place,
                                                    std::uint64_t bytes_max) const {
  std::vector<SharedPiece> pieces;
  if (place.after < primary_.begins) return fail(Errc::not_found, "the log begins later");
  if (place.after > primary_.head.lsn) return fail(Errc::conflict, "the log ends before");
  if (place.after == primary_.head.lsn) return pieces;
  auto at = std::prev(primary_.groups.upper_bound(place.after));
  if (place.piece >= at->second.pieces->size())
    return fail(Errc::invalid_input, "the append has fewer pieces");
  std::uint64_t bytes = 0;
  std::uint32_t number = place.piece;
  for (; at != primary_.groups.end(); ++at, number = 0) {
    const Group& group = at->second;
    const auto count = static_cast<std::uint32_t>(group.pieces->size());
    for (; number < count; ++number) {
      const std::vector<std::byte>& piece = (*group.pieces)[number];
      bytes += piece.size();
      if (!pieces.empty() && bytes > bytes_max) return pieces;
      pieces.push_back({group.before, group.after, group.epoch, number, count, piece});
    }
  }
  return pieces;
}

// ---- the engine: stored files ----

Status SimSharedLog::put(const wal::SharedUpload& upload, std::uint32_t number,
                         const std::vector<std::byte>& piece) {
  auto found = std::ranges::find(primary_.uploads, upload, &Upload::upload);
  if (found == primary_.uploads.end()) {
    primary_.uploads.push_back({upload, {}});
    found = std::prev(primary_.uploads.end());
  }
  found->pieces.emplace(number, piece);
  changed();
  return {};
}

Result<wal::SharedUpload> SimSharedLog::find(const Sha256& hash) const {
  for (const Upload& each : primary_.uploads)
    if (each.upload.hash == hash && each.pieces.size() == wal::pieces_of(each.upload))
      return each.upload;
  return fail(Errc::not_found, "no such stored file");
}

Result<std::vector<std::byte>> SimSharedLog::get(const wal::SharedUpload& upload,
                                                 std::uint32_t number) const {
  const auto found = std::ranges::find(primary_.uploads, upload, &Upload::upload);
  if (found == primary_.uploads.end()) return fail(Errc::not_found, "no such stored file");
  const auto piece = found->pieces.find(number);
  if (piece == found->pieces.end()) return fail(Errc::not_found, "no such piece");
  return piece->second;
}

// ---- the engine: members ----

Status SimSharedLog::report(const wal::Member& member) {
  primary_.members[member.name] = {member, now()};
  changed();
  return {};
}

std::vector<wal::Member> SimSharedLog::members() const {
  std::vector<wal::Member> members;
  members.reserve(primary_.members.size());
  for (const auto& [name, row] : primary_.members) {
    members.push_back(row.member);
    members.back().seen_ago = std::chrono::microseconds(now() - row.seen);
  }
  return members;
}

Status SimSharedLog::remove(const std::string& name) {
  primary_.members.erase(name);
  changed();
  return {};
}

Result<bool> SimSharedLog::forget(Lsn upto, std::chrono::nanoseconds age) {
  constexpr int kAtOnce = 2;
  if (primary_.members.empty()) return false;
  for (const auto& [name, row] : primary_.members) upto = std::min(upto, row.member.applied.lsn);
  for (int removed = 0; removed < kAtOnce; ++removed) {
    const auto first = primary_.groups.begin();
    if (first == primary_.groups.end()) return false;
    const Group& group = first->second;
    if (group.after.lsn > upto || now() - group.at < microseconds(age)) return false;
    primary_.begins = group.after.lsn;
    primary_.groups.erase(first);
    changed();
  }
  return true;
}

// ---- connections ----

class SimConnection final : public wal::SharedLog {
 public:
  explicit SimConnection(SimSharedLog& log) : log_(log) {}

  Result<SharedHead> head() override {
    return read<SharedHead>("head", [this]() -> Result<SharedHead> { return log_.stands(); });
  }

  Appended append_if(const wal::Append& append) override {
    if (Status fits = check(append); !fits)
      return {Outcome::refused, {}, std::move(fits).error().message};
    auto pieces = std::make_shared<SimSharedLog::Pieces>();
    pieces->reserve(append.pieces.size());
    for (const std::span<const std::byte> piece : append.pieces)
      pieces->emplace_back(piece.begin(), piece.end());
    SimSharedLog::Group group{append.before, append.after, append.epoch, std::move(pieces)};
    group.files.assign(append.files.begin(), append.files.end());
    return log_.call<Appended>("append_if", {Outcome::unknown, {}, kNoAnswer},
                               [log = &log_, group] { return log->append(group); });
  }

  Result<std::vector<SharedPiece>> read_from(const wal::ReadPlace& place,
                                             std::uint64_t bytes_max) override {
    return read<std::vector<SharedPiece>>(
        "read_from", [this, place, bytes_max] { return log_.read(place, bytes_max); });
  }

  Status wait_beyond(Lsn after, std::chrono::nanoseconds at_most) override {
    const auto until = log_.clock_.steady() + at_most;
    NETML_TRY(const SharedHead here, head());
    if (here.head.lsn <= after && log_.clock_.steady() < until)
      log_.clock_.advance(until - log_.clock_.steady());
    return {};
  }

  Leased take_lease(std::string_view holder, wal::Epoch seen,
                    std::chrono::nanoseconds length) override {
    return lease("take_lease", [log = &log_, name = std::string(holder), seen, length] {
      return log->take(name, seen, length);
    });
  }
  Leased renew_lease(std::string_view holder, wal::Epoch epoch,
                     std::chrono::nanoseconds length) override {
    return lease("renew_lease", [log = &log_, name = std::string(holder), epoch, length] {
      return log->renew(name, epoch, length);
    });
  }
  Leased release_lease(std::string_view holder, wal::Epoch epoch) override {
    return lease("release_lease", [log = &log_, name = std::string(holder), epoch] {
      return log->release(name, epoch);
    });
  }

  Status put_upload(const wal::SharedUpload& upload, std::uint32_t number,
                    std::span<const std::byte> piece) override {
    if (number >= pieces_of(upload) || piece.size() != piece_bytes(upload, number))
      return fail(Errc::invalid_input, "not a piece of that file");
    const std::vector<std::byte> bytes(piece.begin(), piece.end());
    return write("put_upload",
                 [log = &log_, upload, number, bytes] { return log->put(upload, number, bytes); });
  }
  Result<wal::SharedUpload> find_upload(const Sha256& hash) override {
    return read<wal::SharedUpload>("find_upload", [this, hash] { return log_.find(hash); });
  }
  Result<std::vector<std::byte>> get_upload(const wal::SharedUpload& upload,
                                            std::uint32_t number) override {
    return read<std::vector<std::byte>>(
        "get_upload", [this, upload, number] { return log_.get(upload, number); });
  }

  Status report(const wal::Member& member) override {
    if (member.name.empty() || member.name.size() > wal::kSharedNameBytesMax)
      return fail(Errc::invalid_input, "name", "of 1 to 200 bytes");
    return write("report", [log = &log_, member] { return log->report(member); });
  }
  Result<std::vector<wal::Member>> members() override {
    return read<std::vector<wal::Member>>(
        "members", [this]() -> Result<std::vector<wal::Member>> { return log_.members(); });
  }
  Status remove_member(std::string_view name) override {
    return write("remove_member",
                 [log = &log_, name = std::string(name)] { return log->remove(name); });
  }
  Result<bool> forget(Lsn upto, std::chrono::nanoseconds age) override {
    const Result<bool> in_doubt = fail(Errc::unavailable, kNoAnswer);
    return log_.call<Result<bool>>("forget", in_doubt,
                                   [log = &log_, upto, age] { return log->forget(upto, age); });
  }

 private:
  // One that arrives late is given to nobody, and changes nothing.
  template <class T>
  Result<T> read(const std::string& name, const std::function<Result<T>()>& act) {
    const CallFate fate = log_.begin_call(name);
    const bool answered = fate == CallFate::arrives || fate == CallFate::duplicated;
    if (!answered || !log_.confirm()) {
      log_.wait_in_vain();
      return fail(Errc::unavailable, kNoAnswer);
    }
    return act();
  }
  Leased lease(const std::string& name, std::function<Leased()> act) {
    return log_.call<Leased>(name, {Outcome::unknown, {}, kNoAnswer}, std::move(act));
  }
  Status write(const std::string& name, std::function<Status()> act) {
    const Status in_doubt = fail(Errc::unavailable, kNoAnswer);
    return log_.call<Status>(name, in_doubt, std::move(act));
  }

  SimSharedLog& log_;
};

std::unique_ptr<wal::SharedLog> SimSharedLog::connect() {
  return std::make_unique<SimConnection>(*this);
}

}  // namespace netml::testing
