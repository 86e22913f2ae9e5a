// Clients that do to a server what none should: many connections at once, each opened again when
// the server ends it. All of them live on one thread that gets only the processor time that others
// leave, as if they were on other machines.
//
// Only loopback, from 127.0.1.1 and its neighbours. Bounded: as many connections as were asked for,
// kOpenedASecondMax new ones a second.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "net/unique_fd.hpp"

namespace netml::e2e {

// What one of them does on each of its connections.
struct Habit {
  std::string opening;    // sent at once
  std::string drop = {};  // and then this once a second; nothing where empty
  bool reads = true;      // all that comes; or nothing at all, into a small buffer
  bool leaves = false;    // as soon as the opening is sent
};

class Crowd {
 public:
  static constexpr std::size_t kOpenedASecondMax = 4000;

  // The habits in turn.
  Crowd(std::uint16_t port, std::vector<Habit> habits, std::size_t connections);
  ~Crowd();
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;

  std::uint64_t opened() const { return opened_; }

 private:
  struct Member {
    net::UniqueFd socket;
    const Habit* habit = nullptr;
    std::size_t sent = 0;  // of the opening
  };

  void run();
  void open(Member& member);
  void serve(Member& member, std::uint32_t events);
  bool send_opening(Member& member);

  const std::uint16_t port_;
  const std::vector<Habit> habits_;
  std::vector<Member> members_;
  net::UniqueFd poll_;
  std::atomic<std::uint64_t> opened_{0};
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

// As many open files as the system lets this process have; how many.
std::uint64_t raise_open_files();

}  // namespace netml::e2e
