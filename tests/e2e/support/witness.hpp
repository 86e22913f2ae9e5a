// A good client that asks meanwhile what good clients ask, over and over: /status/, exports,
// imports of one map, and now and then a sign-in; each on a thread and on connections of its own.
// It counts how often it was served, and keeps why not.
// Thread: one.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/e2e/support/node.hpp"

namespace netml::e2e {

// Who is known to the node, and where it is. Kept by whoever keeps the witness.
struct KnownClient {
  std::uint16_t port = 0;
  bool secure = false;  // the port speaks TLS
  std::string polling;  // tokens
  std::string import;
  std::string account;  // the body that signs it in
  std::string map;      // that it imports
};

// A request as that client sends it, with a token or without one.
Answer ask(const KnownClient& client, net::ClientRequest request, const std::string& token = {});
// The upload of a map, with its import token.
net::ClientRequest upload_of(const std::string& map);

class Witness {
 public:
  struct Count {
    std::string what;
    int asked = 0;
    int served = 0;
    std::chrono::milliseconds slowest{0};
    std::string first_fault = {};
    std::chrono::duration<double> time{0};  // until its last answer
    // An answer that came after that time, where the status was expected.
    void count(const Answer& answer, int status, std::chrono::milliseconds took);
    bool all_served() const { return asked > 0 && asked == served; }
    double in_a_second() const { return time.count() > 0 ? served / time.count() : 0; }
    std::string failures() const;  // for people: what was asked, how often it failed, why
  };
  struct Seen {
    Count statuses{"/status/"};
    Count exports{"export"};
    Count imports{"import"};
    Count sign_ins{"sign-in"};
  };

  explicit Witness(const KnownClient& client);
  // Waits for answers to what was asked already.
  Seen stop();

 private:
  void ask_over_and_over(Count& count, int status, std::chrono::milliseconds pause,
                         const std::function<Answer()>& question);

  const KnownClient& client_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stopping_ = false;  // guarded by mutex_
  Seen seen_;              // each count by one thread
  std::vector<std::thread> threads_;
};

}  // namespace netml::e2e
