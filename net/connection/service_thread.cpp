#include "net/connection/service_thread.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

namespace netml::net {

void begin_service_thread(int niceness) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  if (niceness == 0) return;
  const auto thread = static_cast<id_t>(::gettid());  // on Linux each has its own
  ::setpriority(PRIO_PROCESS, thread, ::getpriority(PRIO_PROCESS, thread) + niceness);
}

}  // namespace netml::net
