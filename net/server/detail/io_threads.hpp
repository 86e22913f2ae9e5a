// Threads that wait for sockets and timers, and go on with the coroutines that waited.
//
// Life: construct, hand out executors, start(), finish(). What still waits when this goes away is
// destroyed with it. Thread: start() and finish() from one; executors are for any.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <thread>
#include <vector>

#include "net/server/server_events.hpp"

namespace netml::net {

class IoThreads {
 public:
  using Executor = boost::asio::io_context::executor_type;

  // `niceness` is added to that of the process. `events` outlives this.
  IoThreads(unsigned threads, int niceness, ServerEvents& events)
      : count_(threads), niceness_(niceness), events_(events) {}
  ~IoThreads() { finish(); }

  Executor executor() { return context_.get_executor(); }
  void start();
  bool started() const { return !threads_.empty(); }
  // Returns when nothing is left to wait for.
  void finish();

 private:
  void run();

  const unsigned count_;
  const int niceness_;
  ServerEvents& events_;
  boost::asio::io_context context_;
  boost::asio::executor_work_guard<Executor> open_{context_.get_executor()};
  std::vector<std::thread> threads_;
};

}  // namespace netml::net
