// How much of the processors a thread gets beside others.
#pragma once

namespace netml {

// Of threads that do the work of many at once, such as imports, checkpoints and exports: whoever
// asks for little does not wait for them. Those that serve strangers have it, too (net/server).
inline constexpr int kNicenessOfBulkWork = 10;

// Lets others go before the calling thread, by `niceness` more than the process has. For as long as
// the thread lives: the system does not let it take that back.
void give_way(int niceness = kNicenessOfBulkWork);

}  // namespace netml
