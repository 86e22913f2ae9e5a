// Whose requests were served under a name lately. Anybody can claim to be somebody, and a claim is
// judged by handlers, on workers; so whoever is to be preferred before that is recognised here, by
// the credentials that opened something the last time.
//
// Kept are hashes of what the request showed, of at most kMax clients for kRemembered after they
// were served last. Thread: any (locks).
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>

#include "engine/ids.hpp"
#include "engine/time.hpp"
#include "net/http.hpp"

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
  // They opened something, or nothing any more.
  void served(const Sha256& credentials);
  void refused(const Sha256& credentials);

 private:
  const Clock& clock_;
  mutable std::mutex mutex_;
  std::map<Sha256, std::chrono::nanoseconds> served_at_;  // on the steady clock
};

}  // namespace netml::net
