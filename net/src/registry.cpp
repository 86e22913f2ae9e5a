#include "net/src/registry.hpp"

#include <utility>

namespace netml::net {

namespace {

constexpr std::size_t kLeastShare = 16;

bool is_less_useful(const Registered& a, const Registered& b) {
  if (a.known != b.known) return !a.known;
  return a.paid_until_ns < b.paid_until_ns;
}

}  // namespace

bool Registry::is_limited_by_address(const std::string& address) const {
  return !address.empty() && !contains(options_.trusted_proxies, address) &&
         !contains(options_.address_limit_exempt, address);
}

std::size_t Registry::share_of_an_address() const {
  const std::size_t max = options_.limits.connections_max;
  const std::size_t free = max - std::min(max, admitted_);
  return std::min(options_.limits.connections_per_address_max, std::max(kLeastShare, free / 2));
}

Registry::Admission Registry::admit(const std::string& address) {
  const bool limited = is_limited_by_address(address);
  const std::lock_guard lock(mutex_);
  if (limited) {
    const auto known = per_address_.find(client_group(address));
    if (known != per_address_.end() && known->second >= share_of_an_address())
      return Admission::too_many_from_address;
  }
  const bool full = admitted_ - given_up_ >= options_.limits.connections_max;
  const auto anybody = [](const Registered&) { return true; };
  if (full && !address.empty() && !give_one_up(anybody)) return Admission::too_many;
  if (limited) ++per_address_[client_group(address)];
  most_ = std::max(most_, ++admitted_);
  return Admission::admitted;
}

bool Registry::give_one_up(Eligible eligible) {
  Registered* least = nullptr;
  for (Registered* connection : connections_) {
    if (connection->given_up || connection->phase == Registered::Phase::busy ||
        connection->address().empty() || !eligible(*connection))
      continue;
    if (least == nullptr || is_less_useful(*connection, *least)) least = connection;
  }
  if (least == nullptr) return false;
  give_up(*least);
  return true;
}

void Registry::give_up(Registered& connection) {
  connection.given_up = true;
  ++given_up_;
  kept_bytes_ -= std::exchange(connection.kept_bytes, 0);
  connection.cut();
}

bool Registry::keep(Registered& connection, std::size_t bytes, Share share) {
  const std::lock_guard lock(mutex_);
  if (connection.given_up) return false;
  const bool more = bytes > connection.kept_bytes;
  kept_bytes_ += bytes;
  kept_bytes_ -= std::exchange(connection.kept_bytes, bytes);
  const std::size_t all = options_.limits.connection_memory_bytes_max;
  const std::size_t most = share == Share::half ? all / 2 : all;
  // A stranger's need ends nobody who is known, and no others where nothing would help it.
  if (more && !connection.known && bytes > most && !connection.address().empty())
    give_up(connection);
  const auto strangers = [](const Registered& other) {
    return other.kept_bytes > 0 && !other.known;
  };
  while (more && kept_bytes_ > most && !connection.given_up) {
    if (!give_one_up(strangers)) return connection.known;
  }
  return !connection.given_up;
}

void Registry::add(Registered& connection) {
  connection.enter(Registered::Phase::reading_head, clock_.steady());
  const std::lock_guard lock(mutex_);
  connections_.insert(&connection);
}

void Registry::remove(Registered& connection) {
  const std::lock_guard lock(mutex_);
  connections_.erase(&connection);
  kept_bytes_ -= connection.kept_bytes;
  if (connection.given_up) --given_up_;
  release(connection.address());
}

void Registry::give_back(const std::string& address) {
  const std::lock_guard lock(mutex_);
  release(address);
}

void Registry::release(const std::string& address) {
  if (const auto known = per_address_.find(client_group(address));
      known != per_address_.end() && --known->second == 0)
    per_address_.erase(known);
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
