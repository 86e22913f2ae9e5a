#include "admin/access/sign_in_throttle.hpp"

#include <algorithm>
#include <tuple>

#include "admin/access/throttle_file.hpp"
#include "engine/base/sha256.hpp"
#include "net/http/address.hpp"

namespace netml::admin {

namespace {

constexpr std::uint64_t kFreeFailures = 5;
constexpr std::chrono::seconds kFirstDelay{15};
constexpr std::chrono::seconds kLongestDelay = std::chrono::minutes(15);
constexpr std::chrono::seconds kForgottenAfter = std::chrono::hours(24);
constexpr std::chrono::seconds kWindow{60};
constexpr std::size_t kPerAddress = 20;
constexpr std::size_t kAltogether = 100;
constexpr std::size_t kKnownAddressesMax = 1024;
constexpr std::size_t kAccountKeyBytes = 16;

std::chrono::nanoseconds delay_after(std::uint64_t failures) {
  if (failures < kFreeFailures) return {};
  const std::uint64_t doublings = std::min<std::uint64_t>(failures - kFreeFailures, 10);
  return std::min(kFirstDelay * (1 << doublings), kLongestDelay);
}

}  // namespace

SignInThrottle::SignInThrottle(Node& node) : node_(node) {
  const engine::StatePtr state = node_.version().state;
  const Moment now = node_.clock().steady();
  state->catalog.sessions.for_each([&](std::uint64_t, const engine::WebSession& session) {
    remember(net::client_group(session.address), now);
  });
  load();
}

std::string SignInThrottle::key(const std::string& name) const {
  const auto mac = node_.secrets().mac("sign-in " + name);
  return to_hex(std::span(mac).first(kAccountKeyBytes));
}

std::chrono::nanoseconds SignInThrottle::wait_of(const Window& window, std::size_t max,
                                                 Moment now) {
  if (window.size() < max) return {};
  return std::max(Moment(), window[window.size() - max] + kWindow - now);
}

void SignInThrottle::add_to(Window& window, Moment now) {
  while (!window.empty() && window.front() <= now - kWindow) window.pop_front();
  window.push_back(now);
}

std::chrono::seconds SignInThrottle::wait(const std::string& name, const std::string& address) {
  const Moment now = node_.clock().steady();
  const std::string group = net::client_group(address);
  const std::lock_guard lock(mutex_);
  std::chrono::nanoseconds longest =
      known_.contains(group) ? std::chrono::nanoseconds() : wait_of(all_, kAltogether, now);
  if (const auto found = addresses_.find(group); found != addresses_.end())
    longest = std::max(longest, wait_of(found->second, kPerAddress, now));
  if (const auto found = accounts_.find(key(name)); found != accounts_.end())
    longest = std::max(longest, found->second.last + delay_after(found->second.count) - now);
  return std::chrono::ceil<std::chrono::seconds>(longest);
}

// When there are too many accounts, the newcomer takes the place of the one that failed least, and
// takes over its failures: so what is counted is never less than what an account failed, and nobody
// can have it forgotten by failing with other names in between.
void SignInThrottle::failed(const std::string& name, const std::string& address) {
  const Moment now = node_.clock().steady();
  const std::string account = key(name);
  const std::lock_guard lock(mutex_);
  forget_old(now);
  add_to(all_, now);
  add_to(addresses_[net::client_group(address)], now);
  auto place = accounts_.find(account);
  if (place == accounts_.end() && accounts_.size() >= ThrottleFile::kAccountsMax)
    place = std::ranges::min_element(accounts_, {}, [](const auto& each) {
      return std::tuple(each.second.count, each.second.last);
    });
  const std::uint64_t before = place == accounts_.end() ? 0 : place->second.count;
  if (place != accounts_.end()) accounts_.erase(place);
  accounts_[account] = {before + 1, now};
  store(now);
}

void SignInThrottle::succeeded(const std::string& name, const std::string& address) {
  const Moment now = node_.clock().steady();
  const std::lock_guard lock(mutex_);
  remember(net::client_group(address), now);
  if (accounts_.erase(key(name)) > 0) store(now);
}

void SignInThrottle::remember(const std::string& group, Moment now) {
  known_[group] = now;
  if (known_.size() > kKnownAddressesMax)
    known_.erase(
        std::ranges::min_element(known_, {}, [](const auto& each) { return each.second; }));
}

void SignInThrottle::forget_old(Moment now) {
  std::erase_if(accounts_,
                [&](const auto& each) { return each.second.last < now - kForgottenAfter; });
  std::erase_if(addresses_, [&](const auto& each) { return each.second.back() <= now - kWindow; });
}

// What passed since counts for no more than the longest delay: a clock that was put forward opens
// the door once, but makes nobody's failures forgotten, and one that was put back counts for none.
void SignInThrottle::load() {
  const auto file = load_throttle(node_.directory());
  if (!file) {
    if (file.error().code != Errc::not_found)
      node_.events().warning("sign-in", file.error().message);
    return;
  }
  const Moment now = node_.clock().steady();
  const std::int64_t wall = node_.clock().wall().instant().seconds;
  const auto since = [&](std::int64_t span) {
    return std::chrono::seconds(std::clamp<std::int64_t>(span, 0, kLongestDelay.count()));
  };
  const std::chrono::seconds stopped = since(wall - file->written);
  for (const ThrottleFile::Account& account : file->accounts)
    accounts_[account.key] = {account.count,
                              now - since((since(account.age.count()) + stopped).count())};
}

// Whoever cannot write counts in memory.
void SignInThrottle::store(Moment now) {
  if (!node_.writable()) return;
  ThrottleFile file{node_.clock().wall().instant().seconds, {}};
  for (const auto& [name, failures] : accounts_)
    file.accounts.push_back(
        {name, failures.count, std::chrono::floor<std::chrono::seconds>(now - failures.last)});
  if (const Status written = store_throttle(node_.directory(), file); !written)
    node_.events().warning("sign-in", written.error().message);
}

}  // namespace netml::admin
