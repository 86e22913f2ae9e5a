#include "tests/wal/crash/random_crash.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "wal/journal/segment.hpp"

namespace netml::wal::test {

using engine::State;
using engine::Transaction;
using testing::CrashPattern;
using testing::SimDisk;
using testing::TransactionBuilder;

namespace {

constexpr std::array<std::string_view, 24> kRareStates{
    "created",
    "started after a clean stop",
    "started from a checkpoint",
    "torn tail",
    "tail written again",
    "transaction cut off",
    "aborted transaction",
    "checkpoint fallback",
    "manifest fallback",
    "crash in recovery",
    "crash in the recovery from a crash in recovery",
    "killed, then power cut",
    "cut of an earlier segment left to the next start",
    "checkpoint deleted",
    "segment full",
    "transaction spanning segments",
    "large transaction",
    "group of transactions",
    "transaction that does not fit",
    "disk full",
    "ballast used",
    "room again",
    "failed sync",
    "start after a failed sync"};

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t end) {
    return std::uniform_int_distribution<std::uint64_t>(0, end - 1)(engine_);
  }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  std::uint64_t seed() { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

// In one of eight workloads effects are compressed. The seed decides, so that none draws otherwise
// than before.
StoreOptions random_options(std::uint64_t seed, std::uint64_t segment_bytes) {
  StoreOptions options = small_options(segment_bytes);
  options.journal.compresses_small = seed % 8 == 0;
  return options;
}

// Small ones often, because they make many rotations; the size of production rarely, as it is slow.
std::uint64_t random_segment_bytes(Dice& dice) {
  if (dice.one_in(4000)) return format::kSegmentBytes;
  if (dice.one_in(100)) return std::uint64_t{1} << (20 + dice.below(3));
  const std::uint64_t power = 12 + dice.below(dice.one_in(8) ? 7 : 4);  // 4 KiB to 256 KiB
  return (std::uint64_t{1} << power) + 512 * dice.below(8);
}

CrashPattern random_pattern(const SimDisk& disk, Dice& dice) {
  using Kind = CrashPattern::Kind;
  constexpr std::array kKinds{Kind::none,    Kind::all,        Kind::prefix,
                              Kind::without, Kind::only,       Kind::random,
                              Kind::torn,    Kind::names_only, Kind::bytes_only};
  const Kind kind = dice.one_in(2) ? Kind::random : kKinds[dice.below(kKinds.size())];
  switch (kind) {
    case Kind::prefix:
    case Kind::without:
    case Kind::only:
      return {kind, dice.below(disk.unsynced() + 1)};
    case Kind::torn:
      return {kind, dice.below(testing::kSectorBytes)};
    default:
      return {kind, dice.seed()};
  }
}

// A disk after the crash, and what kind of crash it was.
struct Crash {
  SimDisk disk;
  std::string what;
};

Crash random_crash(const SimDisk& disk, Dice& dice) {
  if (dice.one_in(4)) return {disk.killed(), "killed"};
  const CrashPattern pattern = random_pattern(disk, dice);
  return {disk.crashed(pattern), "power cut keeps: " + to_string(pattern)};
}

// Recovers crashed disks.
class Recoverer {
 public:
  Recoverer(const StoreOptions& options, const Oracle& oracle, Dice& dice, RandomCounts& counts)
      : options_(options), oracle_(oracle), dice_(dice), counts_(counts) {}

  void check(const Crash& crash) {
    SCOPED_TRACE(crash.what);
    const std::optional<SimDisk> inside = dice_.one_in(8) ? crash_inside(crash.disk) : std::nullopt;
    SCOPED_TRACE(inside ? "recovered after a crash in recovery" : "recovered");
    const SimDisk& disk = inside ? *inside : crash.disk;
    Node node(disk, options_);
    const std::optional<engine::Digest> digest = recover(node);
    if (!digest) return;
    if (crash.what == "killed") check_stays(node, *digest);
    if (dice_.one_in(16)) check_with_damage(disk, *digest);
    if (dice_.one_in(32)) check_goes_on(node, *digest);
  }

 private:
  std::optional<engine::Digest> recover(Node& node) {
    ++counts_.crashes;
    bool cut = false;
    node.disk().observe([&](std::uint64_t, const std::string& operation) {
      cut = cut || operation.starts_with("truncate journal/");
    });
    const auto store = node.open();
    node.disk().observe(nullptr);
    EXPECT_TRUE(store) << store.error().message;
    if (!store) return std::nullopt;
    const RecoveryReport& report = (*store)->recovery();
    note_marks(report, counts_.marks);
    if (cut && report.rewritten_frames == 0)
      counts_.marks.reach("cut of an earlier segment left to the next start");
    check_recovered(**store, oracle_);
    return (*store)->head()->digest();
  }

  // The disk after a crash at a random operation of recovery, or of the recovery from that one.
  std::optional<SimDisk> crash_inside(SimDisk disk) {
    std::optional<SimDisk> inside;
    for (int depth = 0; depth < 3; ++depth) {
      Node node(disk, options_);
      const std::uint64_t last = dice_.below(24);
      std::optional<SimDisk> next;
      node.disk().observe([&](std::uint64_t number, const std::string&) {
        if (number == last) next = random_crash(node.disk(), dice_).disk;
      });
      const auto store = node.open();
      node.disk().observe(nullptr);
      EXPECT_TRUE(store) << store.error().message;
      if (!next) return inside;
      ++counts_.crashes;
      counts_.marks.reach(depth == 0 ? "crash in recovery"
                                     : "crash in the recovery from a crash in recovery");
      inside = std::move(next);
      if (!dice_.one_in(2)) return inside;
      disk = *inside;
    }
    return inside;
  }

  // A start after a kill may have found things in the page cache only; what it shows stays.
  void check_stays(Node& node, const engine::Digest& digest) {
    counts_.marks.reach("killed, then power cut");
    const CrashPattern pattern = random_pattern(node.disk(), dice_);
    SCOPED_TRACE("then a power cut keeps: " + to_string(pattern));
    Node later(node.disk().crashed(pattern), options_);
    const std::optional<engine::Digest> found = recover(later);
    EXPECT_TRUE(!found || *found == digest) << "a start showed what the next one has not";
  }

  // One damaged file beside the crash: the newest checkpoint, or one of two manifests.
  void check_with_damage(SimDisk disk, const engine::Digest& digest) {
    std::string victim;
    int manifests = 0;
    for (const std::string& path : disk.files()) {
      if (path.starts_with("manifest-") && !path.ends_with(kTemporarySuffix)) ++manifests;
      if (path.ends_with(".graph")) victim = path;  // the last has the highest LSN
    }
    if (manifests == 2 && (victim.empty() || dice_.one_in(2)))
      victim = dice_.one_in(2) ? "manifest-0" : "manifest-1";
    if (victim.empty() || disk.content(victim).empty()) return;
    std::vector<std::byte>& content = disk.content(victim);
    const std::size_t at = dice_.below(content.size());
    SCOPED_TRACE(fmt::format("with damage to {} at {}", victim, at));
    content[at] ^= std::byte{0x10};
    ++counts_.crashes;
    Node node(std::move(disk), options_);
    const auto store = node.open();
    ASSERT_TRUE(store) << store.error().message;
    note_marks((*store)->recovery(), counts_.marks);
    EXPECT_TRUE((*store)->head()->digest() == digest);
  }

  const StoreOptions& options_;
  const Oracle& oracle_;
  Dice& dice_;
  RandomCounts& counts_;
};

class RandomWorkload {
 public:
  RandomWorkload(std::uint64_t seed, RandomCounts& counts)
      : dice_(seed), counts_(counts), options_(random_options(seed, random_segment_bytes(dice_))) {
    large_segments_ = options_.journal.segment_bytes > (1 << 20);
  }

  // Several lives, each on the disk that a crash of the one before left.
  void run() {
    ++counts_.workloads;
    SimDisk disk;
    const std::uint64_t lives = large_segments_ ? 1 : 1 + dice_.below(3);
    for (std::uint64_t life = 0; life < lives && !::testing::Test::HasFailure(); ++life)
      disk = live(std::move(disk));
  }

 private:
  using Plan = Client::Plan;

  SimDisk live(SimDisk disk) {
    Node node(std::move(disk), options_);
    node_ = &node;
    Client client(node, oracle_);
    Recoverer recoverer(options_, oracle_, dice_, counts_);
    const std::uint64_t rarity = large_segments_ ? 64 : 3;
    node.disk().observe([&](std::uint64_t number, const std::string& operation) {
      ++counts_.operations;
      note_operation(operation);
      if (::testing::Test::HasFailure() || !dice_.one_in(rarity)) return;
      SCOPED_TRACE(fmt::format("before operation {}: {}", number, operation));
      recoverer.check(random_crash(node.disk(), dice_));
    });
    client.reopen();
    const std::uint64_t steps = 4 + dice_.below(large_segments_ ? 4 : 16);
    for (std::uint64_t i = 0; i < steps && !::testing::Test::HasFailure(); ++i) step(client);
    node.disk().observe(nullptr);
    note_segments(client);
    return random_crash(node.disk(), dice_).disk;
  }

  void step(Client& client) {
    switch (dice_.below(16)) {
      case 0:
      case 1:
      case 2:
        return commit(client, 1);
      case 3:
      case 4:
        return commit(client, 2 + dice_.below(5));
      case 5:
        return must(client.store().checkpoint());
      case 6:
        return checkpoint_beside(client);
      case 7:
        return client.publish(fmt::format("edition {}", dice_.below(100)));
      case 8:
        return give_up_an_item(client);
      case 9:
        must(client.store().watermark());
        return client.sync();
      case 10:
        client.close();
        return client.open();
      case 11:
        return client.reopen();
      case 12:
        return commit_what_does_not_fit(client);
      case 13:
        return fill_the_disk(client);
      case 14:
        return fail_a_sync(client);
      default:
        return commit(client, 1);
    }
  }

  static void must(const Status& status) { ASSERT_TRUE(status) << status.error().message; }

  // ---- changes ----

  Plan random_change() {
    const std::uint64_t kind = dice_.below(40);
    if (kind < 6)
      return [this](const State& base) { return import_some(base, 1 + dice_.below(12)); };
    if (kind == 6)
      return [this](const State& base) { return import_some(base, 100 + dice_.below(200)); };
    if (kind == 7 && dice_.one_in(3)) {  // written and applied at the same time
      counts_.marks.reach("large transaction");
      return [this](const State& base) { return import_some(base, 1100); };
    }
    if (kind < 12) return [](const State& base) { return with_catalog_entries(base); };
    if (kind < 16) return [this](const State& base) { return erase_a_link(base); };
    return [this](const State& base) { return rename_one(base); };
  }

  Transaction import_some(const State& base, std::size_t nodes) {
    return testing::import_topology(base, fmt::format("t{}", dice_.below(1 << 20)), nodes);
  }

  static Transaction with_catalog_entries(const State& base) {
    TransactionBuilder builder(base);
    builder.token("client");
    builder.account("someone");
    builder.setting("NAME", "value");
    builder.ruleset("decisions");
    return builder.finish();
  }

  Transaction rename_one(const State& base) {
    const std::uint32_t end = base.graph.next_id().value;
    TransactionBuilder builder(base);
    const RecordId id{end > 1 ? static_cast<std::uint32_t>(1 + dice_.below(end - 1)) : 0};
    if (id && base.graph.contains(id))
      builder.rename(id, std::string(1 + dice_.below(600), 'n'));
    else
      builder.setting("NAME", "nothing to rename");
    return builder.finish();
  }

  Transaction erase_a_link(const State& base) {
    RecordId link;
    base.graph.for_each_record([&](RecordId id) {
      if (base.graph.kind(id) == Kind::link && dice_.one_in(4)) link = id;
    });
    if (!link) return rename_one(base);
    TransactionBuilder builder(base);
    builder.erase(link);
    return builder.finish();
  }

  // ---- steps ----

  void commit(Client& client, std::uint64_t group) {
    if (group > 1) counts_.marks.reach("group of transactions");
    for (std::uint64_t i = 0; i < group; ++i) client.append(random_change());
    client.sync();
    counts_.transactions += group;
  }

  void checkpoint_beside(Client& client) {
    Store& store = client.store();
    const CheckpointSource source = store.checkpoints().source();
    client.append(random_change());
    const auto files = store.checkpoints().write(source);
    ASSERT_TRUE(files) << files.error().message;
    client.sync();
    must(store.checkpoints().install(*files));
  }

  void give_up_an_item(Client& client) {
    std::uint64_t number = 0;
    client.store().next()->catalog.published.for_each(
        [&](std::uint64_t item, const engine::PublishedItem&) { number = item; });
    if (number == 0) return commit(client, 1);
    client.commit([&](const State& base) {
      Transaction change = TransactionBuilder(base).finish();
      change.published.push_back({number, base.catalog.published.find(number), nullptr});
      return change;
    });
    must(client.store().checkpoints().release_published());
  }

  // Planned on another state than the one it comes to. A large one is found out when part of it is
  // written, and closed with an ABORT frame.
  void commit_what_does_not_fit(Client& client) {
    counts_.marks.reach("transaction that does not fit");
    const bool large = !large_segments_ && dice_.one_in(20);
    const Status appended = client.try_append([&](const State& base) {
      Transaction change = import_some(base, large ? 1100 : 3);
      change.records.front().before = change.records.front().after;
      return change;
    });
    EXPECT_FALSE(appended);
    client.sync();
  }

  // From a random write on, there is no room. Then there is again.
  void fill_the_disk(Client& client) {
    counts_.marks.reach("disk full");
    std::uint64_t writes = dice_.below(4);
    node_->disk().inject([&](std::uint64_t, const std::string& operation) -> std::optional<Error> {
      const bool takes_room =
          operation.starts_with("write") || operation.starts_with("create journal/next");
      if (!takes_room || (writes != 0 && --writes != 0)) return std::nullopt;
      node_->disk().set_free_bytes(0);
      return Error{Errc::no_space, "injected"};
    });
    work_with_errors(client);
    node_->disk().inject(nullptr);
    node_->disk().set_free_bytes(std::uint64_t{1} << 40);
    if (client.store().write_state() != WriteState::no_space) return reopen_if_failed(client);
    counts_.marks.reach("room again");
    must(client.store().resume());
  }

  // E2: nothing is acknowledged after it, and only a new start writes again. Its pages count as
  // written, but are not.
  void fail_a_sync(Client& client) {
    counts_.marks.reach("failed sync");
    std::uint64_t syncs = 1 + dice_.below(3);
    node_->disk().inject([&](std::uint64_t, const std::string& operation) -> std::optional<Error> {
      if (!operation.starts_with("fdatasync") || --syncs != 0) return std::nullopt;
      return Error{Errc::io_error, "injected"};
    });
    work_with_errors(client);
    node_->disk().inject(nullptr);
    reopen_if_failed(client);
  }

  void work_with_errors(Client& client) {
    for (int i = 0; i < 4 && client.store().write_state() == WriteState::writable; ++i) {
      const Status appended = client.try_append(random_change());
      if (appended && dice_.one_in(2) && client.try_sync()) ++counts_.transactions;
    }
    if (client.store().write_state() == WriteState::writable)
      static_cast<void>(client.try_sync().has_value());
  }

  void reopen_if_failed(Client& client) {
    if (client.store().write_state() != WriteState::failed) return;
    counts_.marks.reach("start after a failed sync");
    client.reopen();
  }

  // ---- marks ----

  void note_operation(const std::string& operation) {
    if (operation == fmt::format("unlink {}", kBallastFile)) counts_.marks.reach("ballast used");
    if (operation.starts_with("unlink checkpoints/")) counts_.marks.reach("checkpoint deleted");
  }

  void note_segments(Client& client) {
    for (const SegmentEntry& entry : client.store().manifest().segments)
      if (entry.sealed) counts_.marks.reach("segment full");
    const auto journal = node_->root().open_directory(kJournalDirectory);
    ASSERT_TRUE(journal);
    const auto files = (*journal)->list();
    ASSERT_TRUE(files);
    for (const DirectoryEntry& file : *files) {
      const auto header = read_segment_header(**journal, file.name);
      if (header && header->first.ordinal != 0)
        counts_.marks.reach("transaction spanning segments");
    }
  }

  Dice dice_;
  RandomCounts& counts_;
  const StoreOptions options_;
  bool large_segments_ = false;
  Oracle oracle_;
  Node* node_ = nullptr;  // of this life
};

}  // namespace

std::span<const std::string_view> rare_states() {
  return kRareStates;
}

void run_random_workload(std::uint64_t seed, RandomCounts& counts) {
  SCOPED_TRACE(fmt::format("to repeat it: NETML_CRASH_SEED={} NETML_CRASH_WORKLOADS=1", seed));
  RandomWorkload(seed, counts).run();
}

}  // namespace netml::wal::test
