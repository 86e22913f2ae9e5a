#include "tests/wal/cluster/sim_cluster.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/transaction_builder.hpp"

namespace netml::wal::test {

using std::chrono::milliseconds;
using testing::SimDisk;
using testing::SimSharedLog;

namespace {
constexpr std::size_t kRoundsMax = 200;

// A data directory that was just made.
SimDisk new_disk(Random& random) {
  SimDisk disk;
  const std::unique_ptr<Storage> root = disk.root();
  EXPECT_TRUE(initialise(*root, random));
  return disk.killed();
}

NodeUuid uuid_of(SimDisk& disk) {
  const std::unique_ptr<Storage> root = disk.root();
  return (*load_manifest(*root))->manifest.node;
}
}  // namespace

// ---- a member ----

SimMember::SimMember(SimCluster& cluster, std::string name, SimDisk disk)
    : cluster_(cluster), name_(std::move(name)) {
  replace(std::move(disk));
  options_.name = name_;
  options_.address = "https://" + name_ + ".example";
  options_.version = "1";
}

void SimMember::replace(SimDisk disk) {
  store_.reset();
  member_.reset();
  keeping_.reset();
  following_.reset();
  root_.reset();
  disk_ = std::make_unique<SimDisk>(std::move(disk));
  root_ = disk_->root();
}

bool SimMember::start() {
  member_ = std::make_unique<ClusterMember>(cluster_.clock(), cluster_.random(), options_);
  StoreOptions options = small_options();
  options.group_log = &member_->leader();
  auto opened = Store::open(*root_, cluster_.clock(), cluster_.random(), options);
  if (!opened) return false;
  store_ = *std::move(opened);
  keeping_ = cluster_.log().connect();
  following_ = cluster_.log().connect();
  const MemberStore store{
      [this](const std::function<Status(Store&)>& work) { return work(*store_); },
      [this] { return store_->head_hash(); },
      [this] { return store_->write_state() == WriteState::writable; }};
  const Status begun = member_->begin(
      *root_, store,
      [this]() -> Result<std::unique_ptr<SharedLog>> { return cluster_.log().connect(); },
      [this](std::chrono::nanoseconds time) { cluster_.clock().advance(time); });
  if (!begun) store_.reset();
  return begun.has_value();
}

void SimMember::crash(const testing::CrashPattern& pattern) {
  replace(disk_->crashed(pattern));
}

void SimMember::kill() {
  replace(disk_->killed());
}

void SimMember::step() {
  if (store_->write_state() == WriteState::no_space)
    static_cast<void>(store_->resume().has_value());
  member_->keep(*keeping_);
  for (std::size_t i = 0; i < kRoundsMax && member_->follow(*following_); ++i) {
  }
  cluster_.note(*this);
}

Said SimMember::commit(const std::vector<Plan>& plans) {
  if (store_->write_state() != WriteState::writable || !store_->log().check_leads())
    return Said::no;
  bool lost = false;
  for (const Plan& plan : plans) lost = lost || !store_->append(plan(*store_->next()));
  const Status confirmed = store_->confirm();
  cluster_.note(*this);
  if (!confirmed && confirmed.error().code == Errc::outcome_unknown) return Said::unknown;
  return confirmed && !lost ? Said::yes : Said::no;
}

Said SimMember::write(const std::vector<std::string>& names) {
  std::vector<Plan> plans;
  for (const std::string& name : names)
    plans.emplace_back(
        [&name](const engine::State& base) { return testing::import_topology(base, name, 1); });
  return commit(plans);
}

std::multiset<std::string> SimMember::imports() const {
  std::multiset<std::string> names;
  store_->head()->catalog.imports.for_each(
      [&](std::uint64_t, const engine::ImportRecord& record) { names.insert(record.name); });
  return names;
}

// ---- the cluster ----

SimCluster::SimCluster(std::size_t members, std::uint64_t seed, std::chrono::nanoseconds time_out)
    : random_(seed) {
  SimDisk disk = new_disk(random_);
  const NodeUuid cluster = uuid_of(disk);
  SimSharedLog::Options options;
  options.cluster = cluster;
  options.start = {Lsn{}, Chain::origin(cluster)};
  options.seed = seed;
  options.time_out = time_out;
  log_ = std::make_unique<SimSharedLog>(clock_, options);
  for (std::size_t i = 0; i < members; ++i)
    members_.push_back(
        std::make_unique<SimMember>(*this, fmt::format("member-{}", i), disk.killed()));
  for (const auto& member : members_) EXPECT_TRUE(member->start());
}

void SimCluster::pass(std::size_t rounds, std::chrono::nanoseconds each) {
  for (std::size_t i = 0; i < rounds; ++i) {
    clock_.advance(each);
    for (const auto& member : members_)
      if (member->running()) member->step();
  }
}

SimMember* SimCluster::wait_for_leader() {
  for (std::size_t i = 0; i < kRoundsMax; ++i) {
    for (const auto& member : members_)
      if (member->leads() && member->store().log().check_leads()) return member.get();
    pass(1);
  }
  return nullptr;
}

void SimCluster::restart_with(const std::function<void(MembershipOptions&)>& change) {
  for (const auto& member : members_) {
    member->kill();
    change(member->options());
    EXPECT_TRUE(member->start());
  }
}

void SimCluster::heal() {
  log_->decide({});
  log_->set_standby(SimSharedLog::Standby::synchronous);
  log_->deliver_delayed();
  for (const auto& member : members_) {
    member->disk().inject({});
    member->disk().set_free_bytes(std::uint64_t{1} << 40);
    member->kill();
    ASSERT_TRUE(member->start());
  }
  ASSERT_NE(wait_for_leader(), nullptr);
  pass(3);
}

Said SimCluster::write(SimMember& member, std::size_t transactions) {
  return write(member, transactions, [] { return true; });
}

Said SimCluster::write(SimMember& member, std::size_t transactions,
                       const std::function<bool()>& heard) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < transactions; ++i) names.push_back(fmt::format("import-{}", sent_++));
  const Said said = member.write(names);
  if (!heard()) return Said::unknown;
  for (const std::string& name : names) {
    if (said == Said::yes) acknowledged_.insert(name + ".xml");
    if (said == Said::no) refused_.insert(name + ".xml");
  }
  return said;
}

void SimCluster::note(SimMember& member) {
  const Head head = member.head();
  const Seen seen{head.chain, member.store().head()->digest()};
  const auto [place, first] = seen_.emplace(head.lsn, seen);
  EXPECT_EQ(place->second.chain, seen.chain) << member.name() << " at LSN " << head.lsn.value;
  EXPECT_EQ(place->second.digest, seen.digest) << member.name() << " at LSN " << head.lsn.value;
}

void SimCluster::check() {
  const std::unique_ptr<SharedLog> log = log_->connect();
  const Head end = log->head()->head;
  for (const auto& member : members_) {
    EXPECT_EQ(member->head(), end)
        << member->name() << ": " << member->member().standing().status().reason << "; "
        << member->member().standing().status().last_error;
    const std::multiset<std::string> imports = member->imports();
    for (const std::string& name : acknowledged_) EXPECT_EQ(imports.count(name), 1U) << name;
    for (const std::string& name : refused_) EXPECT_EQ(imports.count(name), 0U) << name;
    for (const std::string& name : imports) EXPECT_EQ(imports.count(name), 1U) << name;
  }
}

}  // namespace netml::wal::test
