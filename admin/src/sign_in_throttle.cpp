#include "admin/services/sign_in_throttle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "engine/sha256.hpp"
#include "wal/posix_storage.hpp"

namespace netml::admin {

namespace {

constexpr std::uint64_t kFreeFailures = 5;
constexpr std::int64_t kFirstDelay = 15;
constexpr std::int64_t kLongestDelay = 15 * 60;
constexpr std::int64_t kForgottenAfter = 24 * 60 * 60;
constexpr std::int64_t kWindow = 60;
constexpr std::size_t kPerAddress = 20;
constexpr std::size_t kAltogether = 100;
// Failures come with at most kAltogether a minute, so a day brings no more names than this.
constexpr std::size_t kAccountsMax = 150'000;

std::int64_t delay_after(std::uint64_t failures) {
  if (failures < kFreeFailures) return 0;
  const std::uint64_t doublings = std::min<std::uint64_t>(failures - kFreeFailures, 10);
  return std::min(kFirstDelay << doublings, kLongestDelay);
}

}  // namespace

SignInThrottle::SignInThrottle(Node& node) : node_(node) {
  load();
}

std::string SignInThrottle::key(const std::string& name) const {
  return to_hex(node_.secrets().mac("sign-in " + name));
}

std::chrono::seconds SignInThrottle::wait_of(Window& window, std::size_t max, std::int64_t now) {
  while (!window.empty() && window.front() <= now - kWindow) window.pop_front();
  if (window.size() < max) return {};
  return std::chrono::seconds(window[window.size() - max] + kWindow - now);
}

std::chrono::seconds SignInThrottle::wait(const std::string& name, const std::string& address) {
  const std::int64_t now = node_.clock().wall().instant().seconds;
  const std::lock_guard lock(mutex_);
  std::chrono::seconds longest = wait_of(all_, kAltogether, now);
  if (const auto found = addresses_.find(address); found != addresses_.end())
    longest = std::max(longest, wait_of(found->second, kPerAddress, now));
  if (const auto found = accounts_.find(key(name)); found != accounts_.end()) {
    const std::int64_t until = found->second.last + delay_after(found->second.count);
    longest = std::max(longest, std::chrono::seconds(until - now));
  }
  return longest;
}

void SignInThrottle::failed(const std::string& name, const std::string& address) {
  const std::int64_t now = node_.clock().wall().instant().seconds;
  const std::lock_guard lock(mutex_);
  forget_old(now);
  all_.push_back(now);
  addresses_[address].push_back(now);
  Failures& failures = accounts_[key(name)];
  ++failures.count;
  failures.last = now;
  store();
}

void SignInThrottle::succeeded(const std::string& name) {
  const std::lock_guard lock(mutex_);
  if (accounts_.erase(key(name)) > 0) store();
}

void SignInThrottle::forget_old(std::int64_t now) {
  std::erase_if(accounts_,
                [&](const auto& each) { return each.second.last < now - kForgottenAfter; });
  while (accounts_.size() >= kAccountsMax) accounts_.erase(accounts_.begin());
  for (auto each = addresses_.begin(); each != addresses_.end();) {
    static_cast<void>(wait_of(each->second, kPerAddress, now));
    each = each->second.empty() ? addresses_.erase(each) : std::next(each);
  }
}

void SignInThrottle::load() {
  std::ifstream file(node_.directory() + "/" + std::string(kFile));
  std::string name;
  Failures failures;
  while (file >> name >> failures.count >> failures.last) accounts_[name] = failures;
}

// Whoever cannot write counts in memory.
void SignInThrottle::store() {
  if (!node_.writable()) return;
  std::string text;
  for (const auto& [name, failures] : accounts_)
    text += fmt::format("{} {} {}\n", name, failures.count, failures.last);
  const auto write = [&]() -> Status {
    NETML_TRY(const auto storage, wal::PosixStorage::open_path(node_.directory()));
    const std::string draft = wal::temporary_name(kFile);
    NETML_TRY(const auto file, storage->open(draft, wal::OpenMode::create_empty));
    NETML_TRY_VOID(file->write(0, std::as_bytes(std::span(text))));
    NETML_TRY_VOID(file->sync_data());
    return storage->rename(draft, kFile);
  };
  if (const Status written = write(); !written)
    node_.events().warning("sign-in", written.error().message);
}

}  // namespace netml::admin
