#include "tests/e2e/support/crowd.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
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

}  // namespace

Crowd::Crowd(std::uint16_t port, std::vector<Habit> habits, std::size_t connections)
    : port_(port),
      habits_(std::move(habits)),
      members_(connections),
      poll_(::epoll_create1(EPOLL_CLOEXEC)) {
  for (std::size_t i = 0; i < connections; ++i) members_[i].habit = &habits_[i % habits_.size()];
  thread_ = std::thread([this] { run(); });
}

Crowd::~Crowd() {
  stopping_ = true;
  thread_.join();
}

void Crowd::run() {
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNiceness);
  std::array<epoll_event, 256> events{};
  std::size_t next = 0;
  for (std::size_t round = 0; !stopping_; ++round) {
    const auto ends = std::chrono::steady_clock::now() + kRound;
    std::size_t may_open = kOpenedASecondMax / kRoundsASecond;
    for (std::size_t looked = 0; looked < members_.size() && may_open > 0; ++looked) {
      Member& member = members_[next++ % members_.size()];
      if (member.socket) continue;
      open(member);
      --may_open;
    }
    for (std::size_t i = round % kRoundsASecond; i < members_.size(); i += kRoundsASecond) {
      const Member& member = members_[i];
      if (member.socket && member.sent == member.habit->opening.size() &&
          !member.habit->drop.empty())
        ::send(member.socket.get(), member.habit->drop.data(), member.habit->drop.size(),
               MSG_NOSIGNAL | MSG_DONTWAIT);
    }
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
  event.events = EPOLLOUT | EPOLLRDHUP | (member.habit->reads ? EPOLLIN : 0u);
  event.data.u64 = static_cast<std::uint64_t>(&member - members_.data());
  if (::epoll_ctl(poll_.get(), EPOLL_CTL_ADD, socket.get(), &event) != 0) return;
  member.sent = 0;
  member.socket = std::move(socket);
  ++opened_;
}

// False: the connection is over.
bool Crowd::send_opening(Member& member) {
  const std::string& opening = member.habit->opening;
  const ssize_t sent = ::send(member.socket.get(), opening.data() + member.sent,
                              opening.size() - member.sent, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0) return errno == EAGAIN;
  member.sent += static_cast<std::size_t>(sent);
  if (member.sent < opening.size()) return true;
  if (member.habit->leaves) return false;
  epoll_event event{};
  event.events = EPOLLRDHUP | (member.habit->reads ? EPOLLIN : 0u);
  event.data.u64 = static_cast<std::uint64_t>(&member - members_.data());
  return ::epoll_ctl(poll_.get(), EPOLL_CTL_MOD, member.socket.get(), &event) == 0;
}

void Crowd::serve(Member& member, std::uint32_t events) {
  if (!member.socket) return;
  bool open = (events & (EPOLLERR | EPOLLHUP)) == 0;
  if (open && (events & EPOLLOUT) != 0) open = send_opening(member);
  if (open && (events & EPOLLIN) != 0) {
    std::array<char, 16384> dropped;
    open = ::recv(member.socket.get(), dropped.data(), dropped.size(), MSG_DONTWAIT) > 0;
  } else if ((events & EPOLLRDHUP) != 0) {
    open = false;
  }
  if (!open) member.socket = net::UniqueFd();
}

std::uint64_t raise_open_files() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

}  // namespace netml::e2e
