#include "net/connection/known_clients.hpp"

#include <algorithm>
#include <span>

#include "engine/base/sha256.hpp"
#include "engine/base/texts.hpp"
#include "net/http/address.hpp"

namespace netml::net {

namespace {

// As the site names it, over TLS and without.
constexpr std::string_view kSessionCookies[] = {"__Host-netml", "netml"};

std::string_view session_cookie_in(const Headers& headers) {
  for (const std::string_view name : kSessionCookies)
    if (const std::string_view value = cookie(headers, name); !value.empty()) return value;
  return {};
}

}  // namespace

std::optional<Sha256> KnownClients::credentials(const Headers& headers) {
  const std::string_view authorization = headers.get("Authorization");
  const std::string_view cookie = session_cookie_in(headers);
  if (authorization.empty() && cookie.empty()) return std::nullopt;
  constexpr std::byte kBetween{'\n'};  // in no field
  Sha256Hasher hasher;
  hasher.add(std::as_bytes(std::span(authorization)));
  hasher.add(std::span(&kBetween, 1));
  hasher.add(std::as_bytes(std::span(cookie)));
  return hasher.finish();
}

template <class Key>
bool KnownClients::knows(const Served<Key>& served, const Key& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = served.find(key);
  return found != served.end() && clock_.steady() - found->second < kRemembered;
}

// With mutex_ held.
template <class Key>
void KnownClients::remember(Served<Key>& served, const Key& key) {
  if (served.size() >= kMax && !served.contains(key))
    served.erase(
        std::ranges::min_element(served, {}, [](const auto& entry) { return entry.second; }));
  served[key] = clock_.steady();
}

bool KnownClients::knows(const Sha256& credentials) const {
  return knows(clients_, credentials);
}

bool KnownClients::knows_address(const std::string& address) const {
  return knows(groups_, client_group(address));
}

void KnownClients::served(const Sha256& credentials, const std::string& address) {
  const std::lock_guard lock(mutex_);
  remember(clients_, credentials);
  remember(groups_, client_group(address));
}

void KnownClients::refused(const Sha256& credentials) {
  const std::lock_guard lock(mutex_);
  clients_.erase(credentials);
}

}  // namespace netml::net
