// Runs a workload on a simulated disk, crashes it at every operation in every way worth trying,
// and checks what is recovered against what was acknowledged (T1, T2, T3).
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "tests/wal/node.hpp"

namespace netml::wal::test {

// What the workload was told, and what it asked for.
class Oracle {
 public:
  Oracle() { digests_[0] = {}; }

  // Each state that a crash may lead to: the digest after the transaction of this number.
  void attempt(Lsn lsn, const engine::Digest& digest) { digests_[lsn.value] = digest; }
  void acknowledge(Lsn lsn) { acknowledged_ = lsn; }

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
  // Plans on the private next version.
  void append(const std::function<engine::Transaction(const engine::State&)>& plan);
  void sync();  // acknowledges all that was appended
  void commit(const std::function<engine::Transaction(const engine::State&)>& plan) {
    append(plan);
    sync();
  }
  // Both steps: the state is kept, then an item of the catalog names it.
  void publish(const std::string& name);
  void close();

 private:
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

struct CrashCounts {
  std::uint64_t operations = 0;                // boundaries
  std::uint64_t images = 0;                    // recovered
  std::uint64_t second = 0;                    // recovered from a crash inside recovery
  std::map<std::string, std::uint64_t> marks;  // rare states that were reached

  std::uint64_t reached(const std::string& mark) const {
    const auto found = marks.find(mark);
    return found == marks.end() ? 0 : found->second;
  }
};

// Crashes before each operation of `workload`, and after the last.
CrashCounts crash_everywhere(const Workload& workload, const CrashOptions& options = {});

}  // namespace netml::wal::test
