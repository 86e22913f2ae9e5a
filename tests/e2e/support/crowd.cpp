#include "tests/e2e/support/crowd.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>

namespace netml::e2e {

namespace {

constexpr int kNiceness = 19;
constexpr std::chrono::milliseconds kRound{50};
constexpr std::size_t kRoundsASecond = 20;
constexpr int kSmallBuffer = 4096;
constexpr std::uint32_t kFirstAddress = 0x7f000101;  // 127.0.1.1
constexpr std::uint32_t kAddresses = 200;
constexpr int kFloodsAtOnce = 4;  // then it is the turn of the next

// The thread that calls it.
void take_what_others_leave() {
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNiceness);
}

SSL_CTX* new_context() {
  SSL_CTX* const context = SSL_CTX_new(TLS_client_method());
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_RELEASE_BUFFERS);
  return context;
}

}  // namespace

Crowd::Crowd(std::uint16_t port, std::vector<Habit> habits, std::size_t connections)
    : port_(port),
      habits_(std::move(habits)),
      context_(new_context(), SSL_CTX_free),
      members_(connections),
      poll_(::epoll_create1(EPOLL_CLOEXEC)) {
  ::signal(SIGPIPE, SIG_IGN);  // of the TLS library, where the server has hung up
  for (std::size_t i = 0; i < connections; ++i) members_[i].habit = &habits_[i % habits_.size()];
  thread_ = std::thread([this] { run(); });
}

Crowd::~Crowd() {
  stopping_ = true;
  thread_.join();
}

void Crowd::run() {
  take_what_others_leave();
  std::array<epoll_event, 256> events{};
  std::size_t next = 0;
  for (std::size_t round = 0; !stopping_; ++round) {
    const auto ends = std::chrono::steady_clock::now() + kRound;
    open_some(next);
    drop_some(round);
    for (auto left = kRound; left.count() > 0 && !stopping_;
         left = std::chrono::duration_cast<std::chrono::milliseconds>(
             ends - std::chrono::steady_clock::now())) {
      const int count = ::epoll_wait(poll_.get(), events.data(), static_cast<int>(events.size()),
                                     static_cast<int>(left.count()));
      for (int i = 0; i < count; ++i)
        serve(members_[events[static_cast<std::size_t>(i)].data.u64],
              events[static_cast<std::size_t>(i)].events);
    }
  }
}

void Crowd::open_some(std::size_t& next) {
  std::size_t may_open = kOpenedASecondMax / kRoundsASecond;
  for (std::size_t looked = 0; looked < members_.size() && may_open > 0; ++looked) {
    Member& member = members_[next++ % members_.size()];
    if (member.socket) continue;
    open(member);
    --may_open;
  }
}

void Crowd::drop_some(std::size_t round) {
  for (std::size_t i = round % kRoundsASecond; i < members_.size(); i += kRoundsASecond) {
    Member& member = members_[i];
    if (!member.socket || !member.opened() || member.habit->drop.empty()) continue;
    std::size_t sent = 0;
    if (write(member, member.habit->drop, sent) == Moved::over) end(member);
  }
}

void Crowd::open(Member& member) {
  net::UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) return;
  if (!member.habit->reads)
    ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVBUF, &kSmallBuffer, sizeof kSmallBuffer);
  // Each from an address of a few, none of which is that of good clients.
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(kFirstAddress + static_cast<std::uint32_t>(opened_ % kAddresses));
  if (::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return;
  address.sin_port = htons(port_);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 &&
      errno != EINPROGRESS)
    return;
  epoll_event event{};
  event.events = member.events = EPOLLOUT | EPOLLRDHUP;
  event.data.u64 = static_cast<std::uint64_t>(&member - members_.data());
  if (::epoll_ctl(poll_.get(), EPOLL_CTL_ADD, socket.get(), &event) != 0) return;
  member.sent = 0;
  member.ready = !member.habit->secure;
  member.socket = std::move(socket);
  if (member.habit->secure) {
    member.secure.reset(SSL_new(context_.get()));
    SSL_set_fd(member.secure.get(), member.socket.get());
  }
  ++opened_;
}

void Crowd::end(Member& member) {
  member.secure.reset();
  member.socket = net::UniqueFd();
}

bool Crowd::wait_for(Member& member, std::uint32_t events) {
  if (member.events == events) return true;
  epoll_event event{};
  event.events = member.events = events;
  event.data.u64 = static_cast<std::uint64_t>(&member - members_.data());
  return ::epoll_ctl(poll_.get(), EPOLL_CTL_MOD, member.socket.get(), &event) == 0;
}

Crowd::Moved Crowd::after(Member& member, int result) {
  const int error = SSL_get_error(member.secure.get(), result);
  ERR_clear_error();
  if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) return Moved::over;
  const std::uint32_t direction = error == SSL_ERROR_WANT_READ ? EPOLLIN : EPOLLOUT;
  return wait_for(member, direction | EPOLLRDHUP) ? Moved::not_now : Moved::over;
}

Crowd::Moved Crowd::shake_hands(Member& member) {
  if (member.ready) return Moved::on;
  const int result = SSL_connect(member.secure.get());
  if (result != 1) return after(member, result);
  member.ready = true;
  return Moved::on;
}

Crowd::Moved Crowd::write(Member& member, std::string_view bytes, std::size_t& sent) {
  if (member.habit->secure) {
    const int result = SSL_write(member.secure.get(), bytes.data(), static_cast<int>(bytes.size()));
    if (result <= 0) return after(member, result);
    sent += static_cast<std::size_t>(result);
    return Moved::on;
  }
  const ssize_t result =
      ::send(member.socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (result < 0) return errno == EAGAIN ? Moved::not_now : Moved::over;
  sent += static_cast<std::size_t>(result);
  return Moved::on;
}

// Handshake, opening, flood, as far as it goes now. False: the connection is over.
bool Crowd::go_on(Member& member) {
  if (const Moved moved = shake_hands(member); moved != Moved::on) return moved != Moved::over;
  const Habit& habit = *member.habit;
  while (member.sent < habit.opening.size()) {
    const Moved moved =
        write(member, std::string_view(habit.opening).substr(member.sent), member.sent);
    if (moved != Moved::on) return moved != Moved::over;
  }
  if (habit.leaves) return false;
  if (habit.flood.empty()) return wait_for(member, EPOLLRDHUP | (habit.reads ? EPOLLIN : 0u));
  if (!wait_for(member, EPOLLRDHUP | EPOLLOUT | (habit.reads ? EPOLLIN : 0u))) return false;
  for (int i = 0; i < kFloodsAtOnce; ++i) {
    std::size_t sent = 0;
    const Moved moved = write(member, habit.flood, sent);
    if (moved != Moved::on) return moved != Moved::over;
  }
  return true;
}

// What has come is dropped. False: the connection is over.
bool Crowd::read_all(Member& member) {
  std::array<char, 16384> dropped;
  if (!member.secure)
    return ::recv(member.socket.get(), dropped.data(), dropped.size(), MSG_DONTWAIT) > 0;
  int result = 0;
  do result = SSL_read(member.secure.get(), dropped.data(), static_cast<int>(dropped.size()));
  while (result > 0);
  const int error = SSL_get_error(member.secure.get(), result);
  ERR_clear_error();
  return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
}

void Crowd::serve(Member& member, std::uint32_t events) {
  if (!member.socket) return;
  bool open = (events & (EPOLLERR | EPOLLHUP)) == 0;
  if (open && member.opened() && (events & EPOLLIN) != 0)
    open = read_all(member);
  else if ((events & (EPOLLRDHUP | EPOLLIN)) == EPOLLRDHUP)
    open = false;
  const bool waits = member.opened() && member.habit->flood.empty() && !member.habit->leaves;
  if (open && (!waits || (events & EPOLLOUT) != 0)) open = go_on(member);
  if (!open) end(member);
}

BusyProcessors::BusyProcessors(std::size_t threads) {
  for (std::size_t i = 0; i < threads; ++i)
    threads_.emplace_back([this] {
      take_what_others_leave();
      while (!stopping_) {
      }
    });
}

BusyProcessors::~BusyProcessors() {
  stopping_ = true;
  for (std::thread& thread : threads_) thread.join();
}

std::string client_hello() {
  const std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context(new_context(), SSL_CTX_free);
  const std::unique_ptr<SSL, void (*)(SSL*)> secure(SSL_new(context.get()), SSL_free);
  BIO* const sent = BIO_new(BIO_s_mem());
  SSL_set_bio(secure.get(), BIO_new(BIO_s_mem()), sent);  // which takes both
  SSL_connect(secure.get());
  ERR_clear_error();
  std::string bytes(BIO_ctrl_pending(sent), '\0');
  BIO_read(sent, bytes.data(), static_cast<int>(bytes.size()));
  return bytes;
}

std::uint64_t raise_open_files() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

}  // namespace netml::e2e
