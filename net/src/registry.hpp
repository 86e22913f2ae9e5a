// The connections that are open: counts them against the limits, picks one to give up when there
// are too many, and lets a stopping server wait for the last.
//
// Thread: any (locks).
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <unordered_set>

#include "net/http_server.hpp"

namespace netml::net {

// What the registry sees of a connection.
class Registered {
 public:
  enum class Phase : std::uint8_t {
    reading_head,
    idle,
    busy,
    parting,  // answered; what the client still sends is dropped
  };

  virtual ~Registered() = default;
  // Ends the connection soon. Any thread.
  virtual void cut() = 0;
  virtual const std::string& address() const = 0;

  std::atomic<Phase> phase{Phase::reading_head};
  std::atomic<std::int64_t> phase_since_ns{0};  // on the steady clock
  std::atomic<bool> given_up{false};
};

class Registry {
 public:
  Registry(const ServerOptions& options, const Clock& clock) : options_(options), clock_(clock) {}

  enum class Admission : std::uint8_t { admitted, too_many, too_many_from_address };
  // When the limit is reached, the connection gives way that has been in its phase longest of those
  // that are not being served; if all are, the newcomer is refused.
  Admission admit(const std::string& address);
  void add(Registered& connection);
  // The connection is gone; gives back what admit() counted.
  void remove(Registered& connection);

  std::size_t size() const;

  // From here on draining() is true, and idle connections are cut.
  void drain();
  bool draining() const { return draining_; }
  void cut_all();
  // True when no connection is left.
  bool wait_empty(std::chrono::milliseconds at_most);
  void wait_empty();

 private:
  bool is_limited_by_address(const std::string& address) const;
  bool give_one_up();

  const ServerOptions& options_;
  const Clock& clock_;
  std::atomic<bool> draining_{false};
  mutable std::mutex mutex_;
  std::condition_variable emptied_;
  std::unordered_set<Registered*> connections_;
  std::map<std::string, std::size_t> per_address_;
  std::size_t admitted_ = 0;
  std::size_t given_up_ = 0;
};

}  // namespace netml::net
