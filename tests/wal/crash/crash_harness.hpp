// Runs a workload on a simulated disk, crashes it at every operation in every way worth trying,
// and checks what is recovered against what was acknowledged (T1, T2, T3).
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "tests/wal/support/node.hpp"

namespace netml::wal::test {

// What the workload was answered, and what it asked for.
class Oracle {
 public:
  Oracle() { digests_[0] = {}; }

  // Each state that a crash may lead to: the digest after the transaction of this number.
  void attempt(Lsn lsn, const engine::Digest& digest) { digests_[lsn.value] = digest; }
  void acknowledge(Lsn lsn) { acknowledged_ = lsn; }
  // After a restart that found no more than `head`: what was attempted behind it is gone for good.
  void forget_after(Lsn head) { digests_.erase(digests_.upper_bound(head.value), digests_.end()); }

  // The state at `lsn`, which may be that of an aborted transaction: those have none of their own.
  const engine::Digest& at(Lsn lsn) const {
    return std::prev(digests_.upper_bound(lsn.value))->second;
  }
  Lsn acknowledged() const { return acknowledged_; }
  const std::map<std::uint64_t, engine::Digest>& digests() const { return digests_; }

 private:
  std::map<std::uint64_t, engine::Digest> digests_;
  Lsn acknowledged_;
};

// What a workload works with: a store, and the oracle kept true.
class Client {
 public:
  Client(Node& node, Oracle& oracle) : node_(node), oracle_(oracle) {}

  Node& node() { return node_; }
  Store& store() { return *store_; }
  void open();
  // Without closing in order: what a kill of the process leaves, and a start after it.
  void reopen();
  // Plans on the private next version.
  void append(const std::function<engine::Transaction(const engine::State&)>& plan);
  void sync();  // acknowledges all that was appended
  // The same for work during which operations fail.
  using Plan = std::function<engine::Transaction(const engine::State&)>;
  Status try_append(const Plan& plan);
  Status try_sync();
  void commit(const std::function<engine::Transaction(const engine::State&)>& plan) {
    append(plan);
    sync();
  }
  // Both steps: the state is kept, then an item of the catalog names it.
  void publish(const std::string& name);
  void close();

 private:
  void note_failure();

  Node& node_;
  Oracle& oracle_;
  std::unique_ptr<Store> store_;
  Lsn appended_;
};

using Workload = std::function<void(Client&)>;

struct CrashOptions {
  StoreOptions store = small_options();
  // Starts where this one ends, without crashes: what the disk holds before.
  Workload before;
};

// How often each rare state was reached, by its name.
class Marks {
 public:
  void reach(const std::string& mark, std::uint64_t times = 1) { counts_[mark] += times; }
  std::uint64_t reached(const std::string& mark) const {
    const auto found = counts_.find(mark);
    return found == counts_.end() ? 0 : found->second;
  }
  const std::map<std::string, std::uint64_t>& counts() const { return counts_; }

 private:
  std::map<std::string, std::uint64_t> counts_;
};

// What a start found and did.
void note_marks(const RecoveryReport& report, Marks& marks);

// What was recovered is a prefix that holds all that was acknowledged (P1, P2, P3), and what is
// published is what the items of the catalog name, no less and no more (K2).
void check_recovered(Store& store, const Oracle& oracle);

// Recovered data can be recovered again, verified, and written to.
void check_goes_on(Node& node, const engine::Digest& digest);

struct CrashCounts {
  std::uint64_t operations = 0;  // boundaries
  std::uint64_t images = 0;      // recovered
  std::uint64_t second = 0;      // recovered from a crash inside recovery
  Marks marks;
};

// Crashes before each operation of `workload`, and after the last.
CrashCounts crash_everywhere(const Workload& workload, const CrashOptions& options = {});

}  // namespace netml::wal::test
