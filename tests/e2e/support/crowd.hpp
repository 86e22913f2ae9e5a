// Clients that do to a server what none should: many connections at once, each opened again when
// the server ends it. All of them live on one thread that gets only the processor time that others
// leave, as if they were on other machines.
//
// Only loopback, from 127.0.1.1 and its neighbours. Bounded: as many connections as were asked for,
// kOpenedASecondMax new ones a second.
#pragma once

#include <openssl/ssl.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "net/http/unique_fd.hpp"

namespace netml::e2e {

// What one of them does on each of its connections.
struct Habit {
  std::string opening;     // sent at once
  std::string drop = {};   // and then this once a second; nothing where empty
  std::string flood = {};  // or this over and over, as fast as it is taken
  bool reads = true;       // all that comes; or nothing at all, into a small buffer
  bool leaves = false;     // as soon as the opening is sent
  bool secure = false;     // all this over TLS, whose handshake comes first
};

class Crowd {
 public:
  static constexpr std::size_t kOpenedASecondMax = 4000;
  static constexpr std::size_t kThreads = 1;

  // The habits in turn.
  Crowd(std::uint16_t port, std::vector<Habit> habits, std::size_t connections);
  ~Crowd();
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;

  std::uint64_t opened() const { return opened_; }

 private:
  struct Member {
    net::UniqueFd socket;
    std::unique_ptr<SSL, void (*)(SSL*)> secure{nullptr, SSL_free};
    const Habit* habit = nullptr;
    std::size_t sent = 0;      // of the opening
    std::uint32_t events = 0;  // that are waited for
    bool ready = false;        // its handshake is done
    bool opened() const { return ready && sent == habit->opening.size(); }
  };
  enum class Moved : std::uint8_t { on, not_now, over };

  void run();
  void open_some(std::size_t& next);
  void drop_some(std::size_t round);
  void open(Member& member);
  void end(Member& member);
  void serve(Member& member, std::uint32_t events);
  bool go_on(Member& member);
  Moved shake_hands(Member& member);
  Moved write(Member& member, std::string_view bytes, std::size_t& sent);
  Moved after(Member& member, int result);  // of a call of the TLS library
  static bool read_all(Member& member);
  bool wait_for(Member& member, std::uint32_t events);

  const std::uint16_t port_;
  const std::vector<Habit> habits_;
  const std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context_;
  std::vector<Member> members_;
  net::UniqueFd poll_;
  std::atomic<std::uint64_t> opened_{0};
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

// Takes the processor time that as many threads of a crowd could take at most, and does nothing
// with it: what good clients are served beside it is what a crowd in the same machine may leave.
class BusyProcessors {
 public:
  explicit BusyProcessors(std::size_t threads);
  ~BusyProcessors();
  BusyProcessors(const BusyProcessors&) = delete;
  BusyProcessors& operator=(const BusyProcessors&) = delete;

 private:
  std::atomic<bool> stopping_{false};
  std::vector<std::thread> threads_;
};

// The first bytes of a client that begins a handshake.
std::string client_hello();

// As many open files as the system lets this process have; how many.
std::uint64_t raise_open_files();

}  // namespace netml::e2e
