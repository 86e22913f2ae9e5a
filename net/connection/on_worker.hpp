// Work on the pool that a coroutine awaits: at once, `auto answer = co_await on_worker(...)`, or
// later, after something else. The coroutine goes on on its own strand. The work item lives in the
// coroutine's frame, so nothing is allocated, and the frame cannot go away before the work is done.
#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <new>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

#include "net/connection/worker_pool.hpp"

namespace netml::net {

// A piece of work that is begun here and must be awaited before this goes away. What `work` throws
// is thrown again to whoever awaits it. Thread: the strand's.
template <class Work>
class BegunWork final : WorkItem {
 public:
  using Result = std::invoke_result_t<Work&>;

  BegunWork(WorkerPool& pool, WorkerPool::Urgency urgency, Work work,
            boost::asio::any_io_executor strand)
      : work_(std::move(work)), strand_(std::move(strand)) {
    pool.submit(urgency, *this);
  }
  BegunWork(const BegunWork&) = delete;
  BegunWork& operator=(const BegunWork&) = delete;

  boost::asio::awaitable<Result> finish() {
    Token token;
    if (!done_)
      co_await boost::asio::async_initiate<Token, void()>(
          [this](auto resume) { resume_.emplace(std::move(resume)); }, token);
    if (thrown_) std::rethrow_exception(thrown_);
    co_return *std::move(result_);
  }

 private:
  using Token = boost::asio::use_awaitable_t<>;
  using Resume = typename boost::asio::async_result<Token, void()>::handler_type;

  void run() noexcept override {
    try {
      result_.emplace(work_());
    } catch (...) {
      thrown_ = std::current_exception();
    }
    // Once posted, the coroutine may go on elsewhere and this item be gone.
    const boost::asio::any_io_executor strand = strand_;
    while (!post(strand)) std::this_thread::yield();  // somebody waits, so memory is waited for
  }

  bool post(const boost::asio::any_io_executor& strand) noexcept {
    try {
      boost::asio::post(strand, [this] {
        done_ = true;
        if (resume_) (*std::exchange(resume_, std::nullopt))();
      });
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

  Work work_;
  const boost::asio::any_io_executor strand_;
  std::optional<Result> result_;
  std::exception_ptr thrown_;     // instead of a result
  bool done_ = false;             // on the strand
  std::optional<Resume> resume_;  // on the strand; while finish() waits
};

template <class Work>
boost::asio::awaitable<std::invoke_result_t<Work&>> on_worker(WorkerPool& pool,
                                                              WorkerPool::Urgency urgency,
                                                              Work work) {
  const boost::asio::any_io_executor strand = co_await boost::asio::this_coro::executor;
  BegunWork<Work> begun(pool, urgency, std::move(work), strand);
  co_return co_await begun.finish();
}

}  // namespace netml::net
