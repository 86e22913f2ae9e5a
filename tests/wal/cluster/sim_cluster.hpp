// Members of a cluster on simulated disks, over the model of the shared log, all on one thread and
// one clock; and a record of what clients were answered, to hold against what became of it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tests/support/sim_shared_log.hpp"
#include "tests/support/sim_storage.hpp"
#include "tests/wal/support/node.hpp"
#include "wal/cluster/member.hpp"
#include "wal/commit/store.hpp"

namespace netml::wal::test {

enum class Said : std::uint8_t { yes, no, unknown };

class SimCluster;

class SimMember {
 public:
  SimMember(SimCluster& cluster, std::string name, testing::SimDisk disk);

  const std::string& name() const { return name_; }
  testing::SimDisk& disk() { return *disk_; }
  Storage& root() { return *root_; }
  MembershipOptions& options() { return options_; }  // for the next start
  bool running() const { return store_ != nullptr; }
  Store& store() { return *store_; }
  ClusterMember& member() { return *member_; }
  bool leads() const { return running() && member_->standing().role() == Role::leader; }
  Head head() const { return store_->head_hash(); }

  // False when the disk does not let it.
  bool start();
  // The process is killed, and the machine loses power.
  void crash(const testing::CrashPattern& pattern);
  void kill();
  // It stopped when the disk was as this one is.
  void replace(testing::SimDisk disk);
  // Keeps the lease, and follows as long as there is more.
  void step();
  // One group, as Writer::commit does it.
  using Plan = std::function<engine::Transaction(const engine::State&)>;
  Said commit(const std::vector<Plan>& plans);
  // Imports, one for each name.
  Said write(const std::vector<std::string>& names);
  // The names of all imports that the head has.
  std::multiset<std::string> imports() const;

 private:
  SimCluster& cluster_;
  const std::string name_;
  MembershipOptions options_;
  std::unique_ptr<testing::SimDisk> disk_;
  std::unique_ptr<Storage> root_;
  std::unique_ptr<ClusterMember> member_;  // before the store: it is its group log
  std::unique_ptr<Store> store_;
  std::unique_ptr<SharedLog> keeping_;
  std::unique_ptr<SharedLog> following_;
};

class SimCluster {
 public:
  explicit SimCluster(std::size_t members, std::uint64_t seed = 1,
                      std::chrono::nanoseconds time_out = std::chrono::seconds(2));

  testing::ManualClock& clock() { return clock_; }
  Random& random() { return random_; }
  testing::SimSharedLog& log() { return *log_; }
  SimMember& operator[](std::size_t index) { return *members_[index]; }
  std::size_t size() const { return members_.size(); }

  // Time goes on and each member that runs takes a step, `rounds` times.
  void pass(std::size_t rounds, std::chrono::nanoseconds each = std::chrono::milliseconds(500));
  // As many as it takes until somebody leads; null: nobody does.
  SimMember* wait_for_leader();
  void restart_with(const std::function<void(MembershipOptions&)>& change);
  // No faults any more; all run, and have all there is.
  void heal();

  // A group that a client sent there.
  Said write(SimMember& member, std::size_t transactions = 1);
  // The same of one that hears the answer only if `heard` then says so.
  Said write(SimMember& member, std::size_t transactions, const std::function<bool()>& heard);
  // Where members were at one LSN, they had one history and one state.
  void note(SimMember& member);
  // What was acknowledged is there once, what was refused is not, in all members alike.
  void check();

 private:
  struct Seen {
    Sha256 chain{};
    engine::Digest digest;
  };

  testing::ManualClock clock_;
  testing::SeededRandom random_;
  std::unique_ptr<testing::SimSharedLog> log_;
  std::vector<std::unique_ptr<SimMember>> members_;
  std::map<Lsn, Seen> seen_;
  std::size_t sent_ = 0;
  std::set<std::string> acknowledged_;
  std::set<std::string> refused_;
};

}  // namespace netml::wal::test
