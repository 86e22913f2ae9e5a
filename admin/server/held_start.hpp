// When a server begins to take connections. Usually at once: whoever comes before the node is open
// is asked to come back (O5). Where the service manager holds the sockets, connections wait there
// instead, so that a restart refuses nobody and answers nobody 503; but not for ever.
//
// Thread: all functions from one. Between construction and give_up() nothing may touch the server
// but what any thread may do.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "net/server/http_server.hpp"

namespace netml::admin {

class HeldStart {
 public:
  // How long clients wait; most of them are patient for longer.
  static constexpr std::chrono::seconds kPatience{10};

  // No patience: it begins now.
  HeldStart(net::HttpServer& server, std::chrono::milliseconds patience);
  ~HeldStart() { give_up(); }
  HeldStart(const HeldStart&) = delete;
  HeldStart& operator=(const HeldStart&) = delete;

  // It has begun before, or does not by itself any more. Again does nothing.
  void give_up();
  // The server has begun when this returns.
  void begin();

 private:
  void run(std::chrono::milliseconds patience);

  net::HttpServer& server_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool given_up_ = false;  // guarded by mutex_
  bool begun_ = false;     // by the thread while there is one
  std::thread thread_;
};

}  // namespace netml::admin
