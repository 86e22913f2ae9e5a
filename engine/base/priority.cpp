#include "engine/base/priority.hpp"

#include <sys/resource.h>
#include <unistd.h>

namespace netml {

// On Linux each thread has its own.
void give_way(int niceness) {
  const int of_process = ::getpriority(PRIO_PROCESS, static_cast<id_t>(::getpid()));
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), of_process + niceness);
}

}  // namespace netml
