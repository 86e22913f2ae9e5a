#include "net/connection/registry.hpp"

#include <utility>

namespace netml::net {

namespace {

constexpr std::size_t kLeastShare = 16;
// So many may be on their way out; while there are more, an address has kShareInACrowd.
constexpr std::size_t kGivenUpMax = 256;
constexpr std::size_t kShareInACrowd = 2;
// The worst of so many is bad enough: a crowd that is looked through for each newcomer would take
// the processor instead of the places. So many that the server works for are passed over meanwhile.
constexpr std::size_t kCompared = 256;
constexpr std::size_t kLookedAt = 1024;

// How long nothing has paid for it; a second at least, so that what was taken just now counts.
double unpaid_seconds(const Registered& connection, std::chrono::nanoseconds now) {
  const std::chrono::duration<double> unpaid =
      now - std::chrono::nanoseconds(connection.paid_until_ns);
  return 1 + std::max(0.0, unpaid.count());
}

}  // namespace

double Registry::burden_of_place(const Registered& connection, std::chrono::nanoseconds now) {
  return unpaid_seconds(connection, now);
}

double Registry::burden_of_memory(const Registered& connection, std::chrono::nanoseconds now) {
  return unpaid_seconds(connection, now) * static_cast<double>(connection.kept_.bytes);
}

double Registry::burden_of_body(const Registered& connection, std::chrono::nanoseconds now) {
  return unpaid_seconds(connection, now) * static_cast<double>(connection.kept_.body);
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
  const std::size_t share = !known && places_.given_up.size() > kGivenUpMax
                                ? kShareInACrowd
                                : std::max(kLeastShare, free / 2);
  return std::min(limits.connections_per_address_max, share);
}

tl::expected<CountedPlace, Registry::Refused> Registry::admit(const std::string& address,
                                                              bool known_address) {
  const std::lock_guard lock(mutex_);
  const std::optional<std::string> limited = limited_group(address);
  if (limited) {
    const auto group = groups_.find(*limited);
    if (group != groups_.end() && group->second >= share_of_an_address(known_address))
      return tl::unexpected(Refused::too_many_from_address);
  }
  const bool full = admitted_ - places_.given_up.size() >= options_.limits.connections_max;
  if (full && !address.empty() && !give_up_a_place()) return tl::unexpected(Refused::too_many);
  CountedPlace counted;
  if (limited) {
    counted.group_ = groups_.try_emplace(*limited).first;
    ++(*counted.group_)->second;
  }
  most_ = std::max(most_, ++admitted_);
  return counted;
}

bool Registry::is_clearing(bool known_address) const {
  const std::lock_guard lock(mutex_);
  const std::size_t most = options_.limits.connections_max;
  return places_.given_up.size() >= most + (known_address ? most / 8 : 0);
}

Registry::Worst Registry::worst_of(RegisteredList& list, Burden burden) const {
  const auto now = clock_.steady();
  Worst worst;
  std::size_t compared = 0;
  for (std::size_t left = std::min(list.size(), kLookedAt); left > 0; --left) {
    Registered* const connection = list.front();
    list.splice(list.end(), list, list.begin());
    if (connection->phase == Registered::Phase::busy) continue;
    const double taken = burden(*connection, now);
    if (taken > worst.burden) worst = {connection, taken};
    if (++compared == kCompared) break;
  }
  return worst;
}

// Who is known is the last to give its place; before it who may become known with the next request.
bool Registry::give_up_a_place() {
  for (RegisteredList* list : {&places_.strangers, &places_.from_known_addresses, &places_.known}) {
    if (const Worst worst = worst_of(*list, burden_of_place); worst.connection != nullptr) {
      give_up(*worst.connection);
      return true;
    }
    // Nobody gives way for others that were not looked at; the next newcomer goes on with them.
    if (list->size() > kLookedAt) return false;
  }
  return false;
}

bool Registry::give_up_memory() {
  const bool only_bodies = kept_.bytes <= options_.limits.connection_memory_bytes_max;
  Worst worst = worst_of(memory_.bodies, only_bodies ? burden_of_body : burden_of_memory);
  if (!only_bodies) {
    const Worst other = worst_of(memory_.other, burden_of_memory);
    if (other.burden > worst.burden) worst = other;
  }
  if (worst.connection == nullptr) return false;
  give_up(*worst.connection);
  return true;
}

// One that cannot be cut is not on its way out.
void Registry::give_up(Registered& connection) {
  connection.cut();
  connection.given_up_ = true;
  kept_ -= std::exchange(connection.kept_, {});
  sort_in(connection);
}

RegisteredList& Registry::list_of_place(const Registered& connection) {
  if (connection.given_up_) return places_.given_up;
  if (connection.address().empty()) return places_.always_let_in;
  if (connection.known) return places_.known;
  return connection.from_known_address ? places_.from_known_addresses : places_.strangers;
}

RegisteredList& Registry::list_of_memory(const Registered& connection) {
  const bool may_lose_some = !connection.known && !connection.address().empty();
  if (!may_lose_some || connection.kept_.bytes == 0) return memory_.nothing;
  return connection.kept_.body > 0 ? memory_.bodies : memory_.other;
}

void Registry::sort_in(Registered& connection) noexcept {
  connection.place_.move_to(list_of_place(connection));
  connection.memory_.move_to(list_of_memory(connection));
}

void Registry::recognise(Registered& connection, bool known) noexcept {
  if (connection.known == known) return;
  const std::lock_guard lock(mutex_);
  connection.known = known;
  sort_in(connection);
}

bool Registry::is_too_much(const Kept& kept) const {
  const std::size_t most = options_.limits.connection_memory_bytes_max;
  return kept.bytes > most || kept.body > most / 2;
}

bool Registry::keep(Registered& connection, Kept kept) {
  const std::lock_guard lock(mutex_);
  if (connection.given_up_) return false;
  const bool more = kept.bytes > connection.kept_.bytes;
  kept_ += kept;
  kept_ -= std::exchange(connection.kept_, kept);
  sort_in(connection);
  if (!more || connection.address().empty()) return true;
  // A stranger's need ends nobody who is known, and no others where nothing would help it.
  if (!connection.known && is_too_much(kept)) give_up(connection);
  while (!connection.given_up_ && is_too_much(kept_)) {
    if (!give_up_memory()) return connection.known;
  }
  return !connection.given_up_;
}

void Registry::add(Registered& connection, const CountedPlace& counted) {
  connection.enter(Registered::Phase::reading_head, clock_.steady());
  RegisteredList place{&connection};
  RegisteredList memory{&connection};
  const std::lock_guard lock(mutex_);
  connection.counted_ = counted;
  connection.place_.begin(place, list_of_place(connection));
  connection.memory_.begin(memory, list_of_memory(connection));
}

void Registry::remove(Registered& connection) noexcept {
  const std::lock_guard lock(mutex_);
  connection.place_.end();
  connection.memory_.end();
  kept_ -= connection.kept_;
  release(connection.counted_);
}

void Registry::give_back(const CountedPlace& counted) noexcept {
  const std::lock_guard lock(mutex_);
  release(counted);
}

void Registry::release(const CountedPlace& counted) noexcept {
  if (counted.group_ && --(*counted.group_)->second == 0) groups_.erase(*counted.group_);
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

template <class Call>
void Registry::for_each(Call call) {
  for (const RegisteredList* list : {&places_.strangers, &places_.from_known_addresses,
                                     &places_.known, &places_.always_let_in, &places_.given_up}) {
    for (Registered* connection : *list) call(*connection);
  }
}

void Registry::drain() {
  // A connection that turns idle later sees the flag: it sets its phase before it looks.
  draining_ = true;
  const std::lock_guard lock(mutex_);
  for_each([](Registered& connection) {
    if (connection.phase == Registered::Phase::idle) connection.cut();
  });
}

void Registry::cut_all() {
  const std::lock_guard lock(mutex_);
  for_each([](Registered& connection) { connection.cut(); });
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
