// Tells webhooks of each change of the map (docs/following.md, "Webhooks").
//
// Each webhook has a place in the journal, up to which its receiver took every message. What comes
// behind it is read from the journal, posted in its order, one message at a time, and posted again
// under the same id until it is taken. The places are kept in a file, which is written at most once
// a second while messages follow each other: what was posted since is posted again after a crash.
// While the file cannot be read nothing is posted, nor is it written.
//
// A few threads serve all webhooks, each of them one at a time, in turn. The writer wakes them, and
// does nothing else for them.
//
// Owner: the services of a node. Thread: any.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "admin/base/slots.hpp"
#include "admin/polling/poller.hpp"
#include "admin/webhooks/detail/webhook_message.hpp"
#include "admin/webhooks/detail/webhook_places.hpp"
#include "admin/webhooks/detail/webhook_post.hpp"
#include "admin/webhooks/webhooks.hpp"

namespace netml::admin {

// A message that was posted, of late, or that could not be made.
struct WebhookAttempt {
  Instant time;
  std::string message;  // its id; empty: what it tells could not be read
  std::string type;
  Lsn lsn;              // of what it tells; 0: none
  int status = 0;       // of HTTP; 0: there was no answer
  std::string problem;  // empty: it was taken
};

enum class WebhookState : std::uint8_t { working, failing, paused, inactive };
inline constexpr std::array<const char*, 4> kWebhookStates{"working", "failing", "paused",
                                                           "inactive"};

struct WebhookStatus {
  WebhookState state = WebhookState::working;
  WebhookPlace place;
  std::vector<WebhookAttempt> attempts;  // since the start, the newest first
};

class WebhookDelivery {
 public:
  static constexpr std::size_t kThreads = 4;
  static constexpr std::size_t kAttemptsKept = 20;  // of each webhook
  // Then it is the turn of others, as it is after kWebhookSecondsMax, however few there were.
  static constexpr std::size_t kMessagesInARow = 100;
  static constexpr std::size_t kTestsAtOnce = 2;
  // After a failure nothing is posted for 5, 10, 20, ... seconds, less up to a tenth by chance.
  static constexpr std::chrono::seconds kBackOffFirst{5};
  static constexpr std::chrono::seconds kBackOffMax = std::chrono::hours(1);
  static constexpr std::chrono::hours kFailingMax{5 * 24};  // then it is paused

  // All of them outlive it. Addresses are judged by the rules of `poller`.
  WebhookDelivery(Node& node, const Webhooks& webhooks, const Poller& poller)
      : node_(node), webhooks_(webhooks), poller_(poller) {}
  ~WebhookDelivery() { stop(); }
  WebhookDelivery(const WebhookDelivery&) = delete;
  WebhookDelivery& operator=(const WebhookDelivery&) = delete;

  // Of a member of a cluster: whether it tells anybody now; another member does otherwise. Where
  // it begins to, what it knew of failures is forgotten. Before start(); a node alone always tells.
  void set_leads(std::function<bool()> leads) {
    leads_ = std::move(leads);
    led_ = false;
  }
  bool leads() const { return leads_(); }
  void start();
  // Breaks off what is being posted, tests for good; a receiver may have taken it, and gets it
  // again.
  void stop();

  // Posts what one webhook is due, up to kMessagesInARow; false: there was nothing to post. What
  // the threads do again and again.
  bool deliver_due(const std::stop_token& stop = {});

  // Errc::not_found.
  Result<WebhookStatus> status(std::uint64_t number) const;
  // How many there are of each state.
  using Counts = std::array<std::uint64_t, kWebhookStates.size()>;
  Counts counts() const;

  // Forgets its failures, and posts at once. Errc::not_found; Errc::unavailable while the file of
  // places cannot be read.
  Status resume(std::uint64_t number);
  // Posts a message of its own to a webhook, active or not; takes up to kWebhookSecondsMax. Nothing
  // is stored but the attempt. Errc::not_found; Errc::denied in a sandbox; Errc::unavailable when
  // others wait for theirs, or when stop() broke it off.
  Result<WebhookAttempt> test(std::uint64_t number);

 private:
  struct Hook {
    WebhookPlace place;
    bool in_hand = false;
    std::uint64_t turn = 0;  // when it was served last
    std::deque<WebhookAttempt> attempts;
  };
  // A webhook in hand.
  struct Job {
    std::uint64_t number = 0;
    wal::Head after;  // as of WebhookPlace
    bool reset = false;
    std::optional<std::uint64_t> reset_digits = {};
    bool posted = false;  // with or without success
    bool failed = false;
  };
  class InHand;
  // What woke the threads so far.
  struct Woken {
    std::uint64_t rung = 0;
    std::uint64_t news = 0;
  };
  enum class Keep : std::uint8_t { at_once, now_and_then, rest };

  void run(const std::stop_token& stop);
  Woken woken_so_far() const;
  void wait(const Woken& before, const std::stop_token& stop);
  // Under mutex_; reads the file until that succeeds. False: it cannot be read for now.
  bool load() const;

  void look_later();
  void stand_by();
  std::optional<Job> take_due();
  void begin_to_lead();
  bool is_due(const Version& version, const engine::Webhook& webhook, const Hook& hook,
              Instant now);
  void serve(Job& job, const std::stop_token& stop);
  Status serve_from_journal(Job& job, const std::stop_token& stop);
  void begin_anew(Job& job, const wal::Head& place);
  bool deliver(Job& job, const WebhookMessage& message, const std::stop_token& stop);
  WebhookAnswer post(const engine::Webhook& webhook, const WebhookMessage& message,
                     const std::stop_token& stop) const;
  void note_failure(Job& job, const std::string& webhook, const WebhookAnswer& answer);
  WebhookAttempt note_attempt(std::uint64_t number, const WebhookMessage& message,
                              const WebhookAnswer& answer);
  void keep_attempt(std::uint64_t number, WebhookAttempt attempt);
  void put_back(const Job& job);
  void keep_places(Keep when);
  static WebhookState state_of(const engine::Webhook& webhook, const WebhookPlace& place);

  Node& node_;
  const Webhooks& webhooks_;
  const Poller& poller_;
  std::function<bool()> leads_ = [] { return true; };
  Slots tests_{kTestsAtOnce};
  std::stop_source tests_stop_;

  mutable std::mutex mutex_;  // the writer waits for it: never held while something is asked
  std::condition_variable_any woken_;
  // All below guarded by mutex_.
  mutable std::map<std::uint64_t, Hook> hooks_;  // by number
  mutable bool loaded_ = false;
  mutable std::string load_problem_;  // the last that was reported
  bool led_ = true;                   // when somebody looked last
  std::uint64_t turns_ = 0;
  std::uint64_t news_ = 0;  // one more when a webhook is resumed
  bool later_ = false;      // whether somebody looks again without news
  bool unkept_ = false;     // whether something was taken that the file does not have

  std::mutex file_mutex_;                            // of who writes the file
  std::optional<std::chrono::nanoseconds> kept_at_;  // guarded by file_mutex_

  std::vector<std::jthread> threads_;  // ended before the rest
};

}  // namespace netml::admin
