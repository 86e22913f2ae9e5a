#include "net/src/known_clients.hpp"

#include <algorithm>
#include <span>

#include "engine/sha256.hpp"

namespace netml::net {

namespace {

// As the site names it, over TLS and without.
constexpr std::string_view kSessionCookies[] = {"__Host-netml=", "netml="};

std::string_view session_cookie_in(std::string_view cookies) {
  while (!cookies.empty()) {
    std::string_view cookie = cookies.substr(0, cookies.find(';'));
    cookies.remove_prefix(std::min(cookies.size(), cookie.size() + 1));
    cookie.remove_prefix(std::min(cookie.size(), cookie.find_first_not_of(' ')));
    for (const std::string_view name : kSessionCookies)
      if (cookie.starts_with(name) && cookie.size() > name.size()) return cookie;
  }
  return {};
}

}  // namespace

std::optional<Sha256> KnownClients::credentials(const Headers& headers) {
  const std::string_view authorization = headers.get("Authorization");
  const std::string_view cookie = session_cookie_in(headers.get("Cookie"));
  if (authorization.empty() && cookie.empty()) return std::nullopt;
  constexpr std::byte kBetween{'\n'};  // in no field
  Sha256Hasher hasher;
  hasher.add(std::as_bytes(std::span(authorization)));
  hasher.add(std::span(&kBetween, 1));
  hasher.add(std::as_bytes(std::span(cookie)));
  return hasher.finish();
}

bool KnownClients::knows(const Sha256& credentials) const {
  const std::lock_guard lock(mutex_);
  const auto known = served_at_.find(credentials);
  return known != served_at_.end() && clock_.steady() - known->second < kRemembered;
}

void KnownClients::served(const Sha256& credentials) {
  const std::lock_guard lock(mutex_);
  if (served_at_.size() >= kMax && !served_at_.contains(credentials))
    served_at_.erase(
        std::ranges::min_element(served_at_, {}, [](const auto& known) { return known.second; }));
  served_at_[credentials] = clock_.steady();
}

void KnownClients::refused(const Sha256& credentials) {
  const std::lock_guard lock(mutex_);
  served_at_.erase(credentials);
}

}  // namespace netml::net
