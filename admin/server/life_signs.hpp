// Tells the service manager that the node lives, for as long as that is true: each time the proof
// is made anew, and where it fails or does not come back no sign is given, so that the manager
// starts the node again.
//
// Thread: made and destroyed by one; the proof runs on a thread of its own. Destruction waits for a
// proof that is under way.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "admin/base/work_list.hpp"
#include "admin/node/node.hpp"
#include "admin/server/service_manager.hpp"
#include "engine/base/time.hpp"
#include "net/server/router.hpp"
#include "net/server/server_events.hpp"

namespace netml::admin {

class LifeSigns {
 public:
  using Proof = std::function<Status()>;

  // Where the manager does not ask for signs, nothing is started. All must outlive this.
  LifeSigns(const ServiceManager& manager, EventLog& events, Proof proof);
  ~LifeSigns() { stop(); }
  LifeSigns(const LifeSigns&) = delete;
  LifeSigns& operator=(const LifeSigns&) = delete;

  void stop();

 private:
  void run(std::chrono::microseconds pause);
  void prove_once();

  const ServiceManager& manager_;
  EventLog& events_;
  const Proof proof_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stopping_ = false;  // guarded by mutex_
  std::thread thread_;
};

// What is asked for over the control socket.
inline constexpr std::string_view kSignOfLife = "/sign-of-life/";
inline bool is_sign_of_life(const net::AccessRecord& record) {
  return record.client_address.empty() && record.path == kSignOfLife;
}
// The same, or how far work is, which a command that waits for it asks again and again: such
// requests stand in no log and in no metric.
inline bool is_left_out(const net::AccessRecord& record) {
  return is_sign_of_life(record) || (record.client_address.empty() && record.path == kWorkPath);
}
void add_sign_of_life(net::Router& control_routes);

// That a request there is taken, given to a worker and answered within that time.
Status prove_alive(const std::string& control_socket, const Clock& clock,
                   std::chrono::milliseconds within);

}  // namespace netml::admin
