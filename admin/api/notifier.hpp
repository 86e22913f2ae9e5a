// Tells those who listen what is going on: that the data has changed, how far an import is, that
// polls are made. As server-sent events (docs/api.md, "Publications and activity").
//
// Listeners have no threads: their connections wait among the sockets
// (net/http/body_sources.hpp). One thread, begun with the first of them, is woken by the writer,
// looks once for all, and wakes them when there is news; while an import or a poll goes on, which
// no version tells of, it looks a few times a second. What a listener gets is the difference to
// what it knew, so one that is slow finds the newest, however much it has missed.
//
// Thread: any.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "admin/base/slots.hpp"
#include "admin/imports/import_progress.hpp"
#include "admin/node/node.hpp"
#include "admin/polling/poller.hpp"
#include "net/http/body_sources.hpp"

namespace netml::admin {

struct SharedFeeds;

class Notifier {
 public:
  static constexpr std::size_t kListenersMax = 256;
  static constexpr std::size_t kFollowersMax = 1024;

  Notifier(Node& node, const Poller& poller);
  ~Notifier();
  Notifier(const Notifier&) = delete;
  Notifier& operator=(const Notifier&) = delete;

  // Of the import in hand; it lives until close().
  void watch(const ImportProgress& progress) { progress_ = &progress; }

  // A stream that ends when `goes_on` says no, which is asked at each news and every 15 seconds,
  // or with close(). Nothing when so many listen already, or it is closed.
  std::unique_ptr<net::BodySource> listen(std::function<bool()> goes_on);
  // For streams of changes, which wait for another version and for nothing else: what they share,
  // and whether they go on. Nothing as of listen().
  struct Seat {
    SharedFeeds& feeds;
    std::function<bool()> goes_on;
  };
  std::optional<Seat> seat(std::function<bool()> goes_on);
  // All streams end; nobody hears anything afterwards.
  void close();

 private:
  class Stream;
  // All that there is to tell.
  struct News {
    Lsn lsn;
    std::set<std::uint64_t> waiting;  // imports in progress
    std::optional<ImportProgress::Now> import;
    bool polling = false;
    std::uint64_t poll = 0;        // the newest batch
    std::uint64_t poll_looks = 0;  // one more in each second of a poll, and at its end
    bool operator==(const News&) const = default;
  };

  std::function<bool()> while_open(std::function<bool()> goes_on) const;
  void begin();
  void run();
  News look() const;
  void tell(News now);
  // For the writer, or a little while where something goes on; in any case a little while.
  void wait(std::uint64_t rung, bool working);
  std::shared_ptr<const News> news() const;
  bool closed() const;

  Node& node_;
  const Poller& poller_;
  std::atomic<const ImportProgress*> progress_ = nullptr;
  Slots listeners_{kListenersMax};
  Slots followers_{kFollowersMax};
  Bell bell_;  // when there is news, or it is closed
  const std::unique_ptr<SharedFeeds> feeds_;
  mutable std::mutex mutex_;
  std::condition_variable woken_;
  std::shared_ptr<const News> news_;  // guarded by mutex_, as are the following
  bool awake_ = false;
  bool closed_ = false;
  std::thread thread_;
};

// The answer that is such a stream.
net::Response event_stream(std::unique_ptr<net::BodySource> stream);

}  // namespace netml::admin
