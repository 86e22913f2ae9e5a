// The end of a Connection: the client gets to see its answer, not a connection reset.
#include <algorithm>

#include "net/connection/discard_budget.hpp"
#include "net/server/detail/connection.hpp"

namespace netml::net {

// What the client still sends is read and dropped: a reset, which unread bytes would cause, also
// takes from it the answer that it has not looked at yet. The end of sending is announced only
// when the body has ended, or when the client says nothing more: at the notice of TLS 1.2 it would
// have to stop in the middle of its request (RFC 5246, 7.2.1).
asio::awaitable<void> Connection::part() {
  if (cut_ || gone_) co_return;
  enter(Phase::parting);
  DiscardBudget budget = DiscardBudget::for_body(limits_, server_.clock.steady());
  if (exchange_.body_unread && exchange_.body) co_await discard_body(budget);
  const auto now = server_.clock.steady();
  const bool paused = exchange_.body && !exchange_.body->done() && budget.left(now).count() > 0;
  if (!paused) budget = DiscardBudget::for_remains(limits_, now);
  if (cut_) co_return;
  watchdog_.arm(limits_.linger_max);
  co_await stream_->close_sending();
  watchdog_.disarm();
  if (exchange_.body_unread) co_await discard_remains(budget);
}

// Ends with the body, with what the budget allows, or with a pause.
asio::awaitable<void> Connection::discard_body(DiscardBudget& budget) {
  for (;;) {
    std::string_view input = received_.view();
    while (!input.empty() && exchange_.body && !exchange_.body->done()) {
      if (!exchange_.body->next(input)) exchange_.body.reset();
    }
    received_.consume(received_.view().size() - input.size());
    if (!exchange_.body || exchange_.body->done()) co_return;
    co_await wait_for_turn();
    const auto began = server_.clock.steady();
    const auto at_most = std::min<std::chrono::nanoseconds>(budget.left(began), limits_.linger_max);
    if (at_most.count() <= 0) co_return;
    const std::span<char> room = received_.prepare_body(0, 0);
    keep();
    const IoResult read = co_await read_within(&Stream::read_some, room, at_most);
    received_.commit(read.bytes);
    budget.spend(server_.clock.steady() - began, read.bytes);
    if (read.error) co_return;
    if (!known) owe(read.bytes);
  }
}

asio::awaitable<void> Connection::discard_remains(DiscardBudget& budget) {
  received_.consume(received_.view().size());
  for (;;) {
    const auto began = server_.clock.steady();
    const auto at_most = budget.left(began);
    if (at_most.count() <= 0) co_return;
    const std::span<char> room = received_.prepare_body(0, 0);
    keep();
    const IoResult read = co_await read_within(&Stream::discard_some, room, at_most);
    budget.spend(server_.clock.steady() - began, read.bytes);
    if (read.error) co_return;
  }
}

}  // namespace netml::net
