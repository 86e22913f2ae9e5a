// Whose requests were served under a name lately. Anybody can claim to be somebody, and a claim is
// judged by handlers, on workers; so whoever is to be preferred before that is recognised here, by
// the credentials that opened something the last time.
//
// A new connection shows nothing yet; what is given of it is whether it comes from where somebody
// known came from.
//
// Kept are hashes of what the request showed, and addresses (IPv6: the /64), of at most kMax each,
// for kRemembered after they were served last. Thread: any (locks).
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"
#include "net/http/http.hpp"

namespace netml::net {

class KnownClients {
 public:
  static constexpr std::size_t kMax = 4096;
  static constexpr std::chrono::hours kRemembered{24 * 8};  // longer than peers poll apart

  explicit KnownClients(const Clock& clock) : clock_(clock) {}

  // What can open something: the field Authorization, and the cookie of a session. Nothing where
  // the request shows neither.
  static std::optional<Sha256> credentials(const Headers& headers);

  bool knows(const Sha256& credentials) const;
  bool knows_address(const std::string& address) const;
  // They opened something, or nothing any more.
  void served(const Sha256& credentials, const std::string& address);
  void refused(const Sha256& credentials);

 private:
  // When they were served last, on the steady clock.
  template <class Key>
  using Served = std::map<Key, std::chrono::nanoseconds>;
  template <class Key>
  bool knows(const Served<Key>& served, const Key& key) const;
  template <class Key>
  void remember(Served<Key>& served, const Key& key);

  const Clock& clock_;
  mutable std::mutex mutex_;
  Served<Sha256> clients_;
  Served<std::string> groups_;  // by client_group()
};

}  // namespace netml::net
