#include "net/server/detail/io_threads.hpp"

#include <exception>

#include "net/connection/worker_pool.hpp"

namespace netml::net {

void IoThreads::start() {
  for (unsigned i = 0; i < count_; ++i) threads_.emplace_back([this] { run(); });
}

void IoThreads::finish() {
  open_.reset();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

// X1: whatever escapes ends its own connection's coroutine, never the process.
void IoThreads::run() {
  begin_service_thread(niceness_);
  for (;;) {
    try {
      context_.run();
      return;
    } catch (const std::exception& e) {
      events_.event({.what = ServerEvent::io_thread_failed, .detail = e.what()});
    } catch (...) {
      events_.event({.what = ServerEvent::io_thread_failed, .detail = "unknown exception"});
    }
  }
}

}  // namespace netml::net
