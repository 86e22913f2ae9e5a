#include "net/src/registry.hpp"

#include <utility>

namespace netml::net {

namespace {

constexpr std::size_t kLeastShare = 16;
// So many may be on their way out; while there are more, an address has kShareInACrowd.
constexpr std::size_t kGivenUpMax = 256;
constexpr std::size_t kShareInACrowd = 2;
// Of so many strangers the worst is bad enough: a crowd that is looked through for each newcomer
// would take the processor instead of the places.
constexpr std::size_t kCompared = 256;

// How long nothing has paid for it; a second at least, so that what was taken just now counts.
double unpaid_seconds(const Registered& connection, std::chrono::nanoseconds now) {
  const std::chrono::duration<double> unpaid =
      now - std::chrono::nanoseconds(connection.paid_until_ns);
  return 1 + std::max(0.0, unpaid.count());
}

bool is_plain_stranger(const Registered& connection) {
  return !connection.known && !connection.from_known_address;
}

}  // namespace

// What a connection takes for what it pays. Who is known is the last to give its place; before it
// who may become known with the next request.
double Registry::burden_of_place(const Registered& connection, std::chrono::nanoseconds now) {
  constexpr double kLast = 1e-9;
  constexpr double kLate = 1e-4;
  const double claim = connection.known ? kLast : connection.from_known_address ? kLate : 1;
  return unpaid_seconds(connection, now) * claim;
}

double Registry::burden_of_memory(const Registered& connection, std::chrono::nanoseconds now) {
  if (connection.known) return 0;
  return unpaid_seconds(connection, now) * static_cast<double>(connection.kept_.bytes);
}

double Registry::burden_of_body(const Registered& connection, std::chrono::nanoseconds now) {
  if (connection.known) return 0;
  return unpaid_seconds(connection, now) * static_cast<double>(connection.kept_.body);
}

bool Registry::may_give_way(const Registered& connection) {
  return !connection.given_up && connection.phase != Registered::Phase::busy &&
         !connection.address().empty();
}

std::optional<std::string> Registry::limited_group(const std::string& address) const {
  if (address.empty() || contains(options_.trusted_proxies, address) ||
      contains(options_.address_limit_exempt, address))
    return std::nullopt;
  return client_group(address);
}

std::size_t Registry::share_of_an_address(bool known) const {
  const Limits& limits = options_.limits;
  const std::size_t free = limits.connections_max - std::min(limits.connections_max, admitted_);
  const std::size_t share =
      !known && given_up_ > kGivenUpMax ? kShareInACrowd : std::max(kLeastShare, free / 2);
  return std::min(limits.connections_per_address_max, share);
}

Registry::Admission Registry::admit(const std::string& address, bool known_address) {
  const std::optional<std::string> limited = limited_group(address);
  const std::lock_guard lock(mutex_);
  if (limited) {
    const auto known = per_group_.find(*limited);
    if (known != per_group_.end() && known->second >= share_of_an_address(known_address))
      return Admission::too_many_from_address;
  }
  const bool full = admitted_ - given_up_ >= options_.limits.connections_max;
  if (full && !address.empty() && !give_one_up(burden_of_place)) return Admission::too_many;
  if (limited) ++per_group_[*limited];
  most_ = std::max(most_, ++admitted_);
  return Admission::admitted;
}

bool Registry::is_clearing() const {
  const std::lock_guard lock(mutex_);
  return given_up_ >= options_.limits.connections_max;
}

bool Registry::give_one_up(Burden burden) {
  const auto now = clock_.steady();
  Registered* worst = nullptr;
  double most = 0;
  std::size_t compared = 0;
  for (std::size_t looked = 0; looked < connections_.size(); ++looked) {
    next_ = (next_ + 1) % connections_.size();
    Registered* const connection = connections_[next_];
    if (!may_give_way(*connection)) continue;
    const double taken = burden(*connection, now);
    if (taken > most) worst = connection;
    most = std::max(most, taken);
    if (++compared >= kCompared && worst != nullptr && is_plain_stranger(*worst)) break;
  }
  if (worst == nullptr) return false;
  give_up(*worst);
  return true;
}

void Registry::give_up(Registered& connection) {
  connection.given_up = true;
  ++given_up_;
  kept_ -= std::exchange(connection.kept_, {});
  connection.cut();
}

bool Registry::is_too_much(const Kept& kept) const {
  const std::size_t most = options_.limits.connection_memory_bytes_max;
  return kept.bytes > most || kept.body > most / 2;
}

bool Registry::keep(Registered& connection, Kept kept) {
  const std::lock_guard lock(mutex_);
  if (connection.given_up) return false;
  const bool more = kept.bytes > connection.kept_.bytes;
  kept_ += kept;
  kept_ -= std::exchange(connection.kept_, kept);
  if (!more || connection.address().empty()) return true;
  // A stranger's need ends nobody who is known, and no others where nothing would help it.
  if (!connection.known && is_too_much(kept)) give_up(connection);
  while (!connection.given_up && is_too_much(kept_)) {
    const bool bodies = kept_.bytes <= options_.limits.connection_memory_bytes_max;
    if (!give_one_up(bodies ? burden_of_body : burden_of_memory)) return connection.known;
  }
  return !connection.given_up;
}

void Registry::add(Registered& connection) {
  connection.enter(Registered::Phase::reading_head, clock_.steady());
  const std::lock_guard lock(mutex_);
  connection.place_ = connections_.size();
  connections_.push_back(&connection);
}

void Registry::remove(Registered& connection) {
  const std::lock_guard lock(mutex_);
  connections_.back()->place_ = connection.place_;
  connections_[connection.place_] = connections_.back();
  connections_.pop_back();
  kept_ -= connection.kept_;
  if (connection.given_up) --given_up_;
  release(connection.address());
}

void Registry::give_back(const std::string& address) {
  const std::lock_guard lock(mutex_);
  release(address);
}

void Registry::release(const std::string& address) {
  if (const auto limited = limited_group(address)) {
    const auto known = per_group_.find(*limited);
    if (--known->second == 0) per_group_.erase(known);
  }
  if (--admitted_ == 0) emptied_.notify_all();
}

std::size_t Registry::size() const {
  const std::lock_guard lock(mutex_);
  return admitted_;
}

std::size_t Registry::take_most() {
  const std::lock_guard lock(mutex_);
  return std::exchange(most_, admitted_);
}

void Registry::drain() {
  // A connection that turns idle later sees the flag: it sets its phase before it looks.
  draining_ = true;
  const std::lock_guard lock(mutex_);
  for (Registered* connection : connections_) {
    if (connection->phase == Registered::Phase::idle) connection->cut();
  }
}

void Registry::cut_all() {
  const std::lock_guard lock(mutex_);
  for (Registered* connection : connections_) connection->cut();
}

bool Registry::wait_empty(std::chrono::milliseconds at_most) {
  std::unique_lock lock(mutex_);
  return emptied_.wait_for(lock, at_most, [this] { return admitted_ == 0; });
}

void Registry::wait_empty() {
  std::unique_lock lock(mutex_);
  emptied_.wait(lock, [this] { return admitted_ == 0; });
}

}  // namespace netml::net
