// Stands between a client and a server on this machine and cuts a connection at a chosen point,
// so that one side has sent something that the other never gets.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <mutex>
#include <thread>

#include "net/http/unique_fd.hpp"

namespace netml::wal::test {

// Thread: any.
class CuttingProxy {
 public:
  explicit CuttingProxy(std::uint16_t server);
  ~CuttingProxy();
  CuttingProxy(const CuttingProxy&) = delete;
  CuttingProxy& operator=(const CuttingProxy&) = delete;

  std::uint16_t port() const { return port_; }

  enum class Direction : std::uint8_t { to_server, to_client };
  // Passes `bytes` more in that direction; then that connection ends; new ones are passed on.
  void cut_after(Direction direction, std::uint64_t bytes);
  // What has passed to the client since the beginning.
  std::uint64_t to_client() const { return to_client_; }

 private:
  struct Pair {
    net::UniqueFd client;
    net::UniqueFd server;
  };
  void run();
  void accept();
  // Whether the connection goes on.
  bool pass(const Pair& pair, Direction direction);
  bool is_cut(Direction direction, std::uint64_t& bytes);

  const std::uint16_t server_;
  std::uint16_t port_ = 0;
  net::UniqueFd listener_;
  std::list<Pair> pairs_;  // of the thread
  std::atomic<bool> stop_{false};
  std::atomic<std::uint64_t> to_client_{0};
  std::mutex mutex_;
  bool armed_ = false;
  Direction direction_ = Direction::to_server;
  std::uint64_t left_ = 0;
  std::thread thread_;
};

}  // namespace netml::wal::test
