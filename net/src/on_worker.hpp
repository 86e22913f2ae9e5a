// Awaits a piece of work on the pool: `auto answer = co_await on_worker(pool, urgency, [&] {...});`
// The coroutine goes on on its own strand. The work item lives in the coroutine's frame, so nothing
// is allocated, and the frame cannot go away before the work is done.
#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>
#include <type_traits>
#include <utility>

#include "net/src/worker_pool.hpp"

namespace netml::net {

// `work` must not throw.
template <class Work>
boost::asio::awaitable<std::invoke_result_t<Work&>> on_worker(WorkerPool& pool,
                                                              WorkerPool::Urgency urgency,
                                                              Work work) {
  namespace asio = boost::asio;
  using Token = asio::use_awaitable_t<>;
  using Resume = typename asio::async_result<Token, void()>::handler_type;

  struct Item final : WorkItem {
    Item(Work& w, asio::any_io_executor e) : work(w), executor(std::move(e)) {}
    void run() noexcept override {
      result.emplace(work());
      // Once posted, the coroutine may resume elsewhere and this item be gone.
      const asio::any_io_executor resume_on = std::move(executor);
      asio::post(resume_on, *std::exchange(resume, std::nullopt));
    }
    Work& work;
    asio::any_io_executor executor;
    std::optional<Resume> resume;
    std::optional<std::invoke_result_t<Work&>> result;
  };

  const asio::any_io_executor strand = co_await asio::this_coro::executor;
  Item item(work, strand);
  Token token;
  co_await asio::async_initiate<Token, void()>(
      [&](auto resume) {
        item.resume.emplace(std::move(resume));
        pool.submit(urgency, item);
      },
      token);
  co_return *std::move(item.result);
}

}  // namespace netml::net
