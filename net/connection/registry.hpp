// The connections that are open: counts them against the limits, picks one to give up when there
// are too many, and lets a stopping server wait for the last.
//
// Newcomers are let in as long as anybody else only waits: of those that do, the one gives way
// whose place is paid for least. A place is paid for by beginning something, and by each byte that
// is moved; so one that sends or reads at a fair rate stays, whatever many others hold open.
// Strangers give way before those whose clients are known, and before those that come from where
// somebody known came from. Where connections keep too much memory,
// the one gives way that has kept the most for the longest without paying.
//
// Thread: any (locks).
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "engine/base/result.hpp"
#include "engine/base/time.hpp"
#include "net/connection/server_options.hpp"

namespace netml::net {

// What a connection keeps in memory.
struct Kept {
  std::size_t bytes = 0;  // of all
  std::size_t body = 0;   // of a stranger's body among them, which may have to wait for a worker

  Kept& operator+=(const Kept& other) {
    bytes += other.bytes;
    body += other.body;
    return *this;
  }
  Kept& operator-=(const Kept& other) {
    bytes -= other.bytes;
    body -= other.body;
    return *this;
  }
  bool operator==(const Kept&) const = default;
};

class Registered;
using RegisteredList = std::list<Registered*>;

// In which of several lists a connection stands.
class Standing {
 public:
  // Behind all others there. `alone`: a list of the connection and nothing else.
  void begin(RegisteredList& alone, RegisteredList& list) noexcept {
    at_ = alone.begin();
    list.splice(list.end(), alone);
    list_ = &list;
  }
  void move_to(RegisteredList& list) noexcept {
    if (&list == list_) return;
    list.splice(list.end(), *list_, at_);
    list_ = &list;
  }
  void end() noexcept { list_->erase(at_); }

 private:
  RegisteredList* list_ = nullptr;
  RegisteredList::iterator at_;
};

// What Registry::admit() counted for one connection, to be given back once.
class CountedPlace {
  friend class Registry;
  using Groups = std::map<std::string, std::size_t>;  // by client_group()
  std::optional<Groups::iterator> group_;             // of an address that is held to a share
};

// What the registry sees of a connection.
class Registered {
 public:
  enum class Phase : std::uint8_t {
    reading_head,  // or shaking hands
    idle,
    receiving,  // a body
    busy,       // the server works for it
    sending,
    parting,  // answered; what the client still sends is dropped
  };

  virtual ~Registered() = default;
  // Ends the connection soon. Any thread.
  virtual void cut() = 0;
  // Empty on a UNIX-domain socket: such a connection is always let in, and never given up.
  virtual const std::string& address() const = 0;

  void enter(Phase next, std::chrono::nanoseconds now) {
    paid_until_ns = now.count();
    phase = next;
  }
  void moved(std::size_t bytes, std::chrono::nanoseconds now) {
    constexpr std::int64_t kBytesPerSecond = 64 * 1024;  // a fair rate
    const auto paid =
        std::chrono::nanoseconds(std::chrono::seconds(bytes)).count() / kBytesPerSecond;
    paid_until_ns = std::min(paid_until_ns + paid, now.count());
  }

  // While the server works for it, its place costs nothing.
  class Working {
   public:
    Working(Registered& connection, const Clock& clock)
        : connection_(connection),
          clock_(clock),
          phase_(connection.phase.exchange(Phase::busy)),
          began_(clock.steady()) {}
    Working(const Working&) = delete;
    Working& operator=(const Working&) = delete;
    ~Working() {
      connection_.paid_until_ns += (clock_.steady() - began_).count();
      connection_.phase = phase_;
    }

   private:
    Registered& connection_;
    const Clock& clock_;
    const Phase phase_;
    const std::chrono::nanoseconds began_;
  };

  std::atomic<Phase> phase{Phase::reading_head};
  std::atomic<std::int64_t> paid_until_ns{0};  // on the steady clock
  std::atomic<bool> known{false};              // its client is; set by Registry::recognise()
  bool from_known_address = false;             // set before add()

 private:
  friend class Registry;
  CountedPlace counted_;
  Kept kept_;  // what keep() said last
  bool given_up_ = false;
  Standing place_;   // among those whose places may be given up
  Standing memory_;  // among those whose memory may
};

class Registry {
 public:
  Registry(const ServerOptions& options, const Clock& clock) : options_(options), clock_(clock) {}

  enum class Refused : std::uint8_t { too_many, too_many_from_address };
  // When the limit is reached another gives way; if the server works for all that are looked at,
  // the newcomer is refused. The fuller it is, the fewer one address may have; in a crowd two,
  // unless it is known.
  tl::expected<CountedPlace, Refused> admit(const std::string& address, bool known_address = false);
  // As many as may be open are on their way out, or an eighth more: newcomers must wait, or there
  // are no descriptors.
  bool is_clearing(bool known_address) const;
  void add(Registered& connection, const CountedPlace& counted);
  // The connection is gone; gives back what admit() counted.
  void remove(Registered& connection) noexcept;
  // The same where it never came to add().
  void give_back(const CountedPlace& counted) noexcept;

  // Whether its client is known. From one thread at a time.
  void recognise(Registered& connection, bool known) noexcept;

  // The connection keeps so much in memory, beside itself. Where all together keep more than the
  // limit, or strangers' bodies more than half of it, strangers give way; false: it is the one that
  // must. Who is known always gets it.
  bool keep(Registered& connection, Kept kept);

  // The options that it was made with change while nothing looks at them; who was let in stays.
  template <class Change>
  void change_options(Change change) {
    const std::lock_guard lock(mutex_);
    change();
  }

  std::size_t size() const;
  // The most there were since this was asked last.
  std::size_t take_most();

  // From here on draining() is true, and idle connections are cut.
  void drain();
  bool draining() const { return draining_; }
  void cut_all();
  // True when no connection is left.
  bool wait_empty(std::chrono::milliseconds at_most);
  void wait_empty();

 private:
  // The client_group() of an address that is held to a share; nothing for others.
  std::optional<std::string> limited_group(const std::string& address) const;
  std::size_t share_of_an_address(bool known) const;
  // What it takes for what it pays.
  using Burden = double (*)(const Registered&, std::chrono::nanoseconds now);
  static double burden_of_place(const Registered& connection, std::chrono::nanoseconds now);
  static double burden_of_memory(const Registered& connection, std::chrono::nanoseconds now);
  static double burden_of_body(const Registered& connection, std::chrono::nanoseconds now);
  struct Worst {
    Registered* connection = nullptr;
    double burden = 0;
  };
  Worst worst_of(RegisteredList& list, Burden burden) const;
  // False where there is nobody who may give way.
  bool give_up_a_place();
  bool give_up_memory();
  bool is_too_much(const Kept& kept) const;
  void give_up(Registered& connection);
  RegisteredList& list_of_place(const Registered& connection);
  RegisteredList& list_of_memory(const Registered& connection);
  void sort_in(Registered& connection) noexcept;  // after a change of what the lists go by
  template <class Call>
  void for_each(Call call);
  void release(const CountedPlace& counted) noexcept;  // with mutex_ held

  const ServerOptions& options_;
  const Clock& clock_;
  std::atomic<bool> draining_{false};
  mutable std::mutex mutex_;
  std::condition_variable emptied_;
  // Each connection is in one of these lists, and in one of those below. Whoever was looked at goes
  // to the end of its list.
  struct {
    RegisteredList strangers;
    RegisteredList from_known_addresses;
    RegisteredList known;
    RegisteredList always_let_in;
    RegisteredList given_up;
  } places_;
  struct {
    RegisteredList nothing;  // that could be taken from them
    RegisteredList other;
    RegisteredList bodies;
  } memory_;
  CountedPlace::Groups groups_;
  std::size_t admitted_ = 0;
  std::size_t most_ = 0;
  Kept kept_;  // by all but those given up
};

}  // namespace netml::net
