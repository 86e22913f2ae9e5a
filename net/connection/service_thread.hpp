// How the threads of this layer begin.
//
// Thread: the one that calls.
#pragma once

namespace netml::net {

// Signals are the main thread's business. `niceness` is added to that of the process: the higher,
// the less processor time beside others.
void begin_service_thread(int niceness = 0);

}  // namespace netml::net
