// Asking a long journal of small transactions: what `netml log --limit 50`, a time and `netml
// history` cost on a running node, the first time and with what it remembers.
#include <map>

#include "bench/support/store_on_disk.hpp"
#include "engine/transaction/transaction.hpp"
#include "wal/history/journal_reader.hpp"

namespace netml::bench {
namespace {

constexpr std::uint32_t kNodes = 1000;

engine::Record node_named(std::uint32_t id, std::uint64_t name) {
  const std::string identifier = "urn:bench:node:" + std::to_string(id);
  const std::string text = "name " + std::to_string(name);
  engine::AttributeFields fields;
  fields.kind = Kind::node;
  fields.id = identifier;
  fields.name = text;
  return {engine::Attributes::make(fields), engine::Relations::make({})};
}

// A journal of as many transactions, each of which renames one node: some hundred bytes.
class LongJournal {
 public:
  explicit LongJournal(std::uint64_t transactions) {
    wal::Store& store = bench_.store();
    for (std::uint64_t i = 0; i < transactions; ++i) {
      const engine::State& state = *store.next();
      const auto id = static_cast<std::uint32_t>(i % kNodes + 1);
      engine::Transaction transaction;
      transaction.provenance.actor = "bench";
      transaction.provenance.effective_time = WallTime{static_cast<std::int64_t>(i)};
      transaction.records = {{RecordId{id}, state.graph.record(RecordId{id}), node_named(id, i)}};
      transaction.next_id = std::max(state.graph.next_id(), RecordId{id + 1});
      transaction.next_number = state.graph.next_number();
      static_cast<void>(need(store.append(transaction)));
      if (i % 1000 == 999) need(store.sync());
    }
    need(store.sync());
  }

  wal::JournalView view() {
    const wal::Store& store = bench_.store();
    return {store.manifest().node, store.head_hash(), {}};
  }
  wal::Storage& data() { return bench_.storage(); }

 private:
  Bench bench_;
};

LongJournal& journal_of(std::uint64_t transactions) {
  static std::map<std::uint64_t, LongJournal> journals;  // making one takes longer than asking it
  return journals.try_emplace(transactions, transactions).first->second;
}

void newest(LongJournal& journal, wal::JournalIndex& index) {
  auto reader = need(wal::JournalReader::open(journal.data(), journal.view(), index));
  int left = 50;
  need(reader.history({.order = wal::Order::newest_first},
                      [&](const wal::HistoryEntry&) { return --left > 0; }));
}

// By a node that was just started.
void BM_log_first(benchmark::State& state) {
  LongJournal& journal = journal_of(static_cast<std::uint64_t>(state.range(0)));
  for (auto _ : state) {
    wal::JournalIndex index(journal.data(), wal::JournalIndex::Keep::in_files);
    newest(journal, index);
  }
}

void BM_log_again(benchmark::State& state) {
  LongJournal& journal = journal_of(static_cast<std::uint64_t>(state.range(0)));
  wal::JournalIndex index(journal.data(), wal::JournalIndex::Keep::in_files);
  newest(journal, index);
  for (auto _ : state) newest(journal, index);
}

void BM_point_in_time(benchmark::State& state) {
  LongJournal& journal = journal_of(static_cast<std::uint64_t>(state.range(0)));
  for (auto _ : state) {
    wal::JournalIndex index(journal.data(), wal::JournalIndex::Keep::in_files);
    auto reader = need(wal::JournalReader::open(journal.data(), journal.view(), index));
    benchmark::DoNotOptimize(need(reader.at_time(WallTime{state.range(0) / 3})));
  }
}

// With the index of closed segments in its files.
void BM_history(benchmark::State& state) {
  LongJournal& journal = journal_of(static_cast<std::uint64_t>(state.range(0)));
  wal::JournalIndex index(journal.data(), wal::JournalIndex::Keep::in_files);
  const auto ask = [&] {
    auto reader = need(wal::JournalReader::open(journal.data(), journal.view(), index));
    const std::vector<RecordId> found = need(reader.records_named("urn:bench:node:7"));
    need(reader.changes_of(found, [](Lsn, const wal::RecordEffect&) { return true; }));
  };
  ask();
  for (auto _ : state) ask();
}

BENCHMARK(BM_log_first)->Arg(10)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_log_again)->Arg(10)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_point_in_time)->Arg(10)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_history)->Arg(10)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace netml::bench
