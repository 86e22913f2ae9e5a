// A journal of a few dozen transactions over many small segments, with what a reader of it must
// find, noted while it was written.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/wal/support/node.hpp"
#include "wal/history/journal_reader.hpp"

namespace netml::wal::test {

inline JournalView view_of(const Store& store) {
  return {store.manifest().node, store.head_hash(), store.manifest().checkpoints};
}

class WrittenHistory {
 public:
  // Small enough segments that there are many.
  static StoreOptions small_segments() { return small_options(4096 + (8 << 10)); }
  explicit WrittenHistory(const StoreOptions& options = small_segments()) : node_(options) {
    write();
  }

  Node& node() { return node_; }
  Store& store() { return *store_; }
  JournalView view() const { return view_of(*store_); }
  // By LSN; [0] is the empty state.
  const std::vector<engine::StatePtr>& states() const { return states_; }
  const std::vector<Head>& heads() const { return heads_; }
  const std::vector<engine::Transaction>& transactions() const { return transactions_; }
  RecordId renamed() const { return renamed_; }
  RecordId deleted() const { return deleted_; }

  void add(engine::Transaction transaction) {
    transaction.provenance.effective_time.microseconds +=
        static_cast<std::int64_t>(states_.size()) * 1'000'000;
    const Result<Lsn> lsn = commit(*store_, transaction);
    ASSERT_TRUE(lsn) << lsn.error().message;
    ASSERT_EQ(lsn->value, states_.size());
    states_.push_back(store_->head());
    heads_.push_back(store_->head_hash());
    transactions_.push_back(std::move(transaction));
  }

 private:
  // Large ones fill several segments, small ones share one.
  void write() {
    store_ = *node_.open();
    states_.push_back(store_->head());
    heads_.push_back(store_->head_hash());
    transactions_.emplace_back();
    for (const char* name : {"a", "b", "c"}) add(import_topology(*store_->next(), name, 60));
    renamed_ = store_->next()->graph.find(Kind::node, "urn:b:node:3").front();
    for (int i = 0; i < 30; ++i) {
      testing::TransactionBuilder builder(*store_->next());
      builder.rename(renamed_, fmt::format("name {}", i));
      builder.transaction().provenance.actor = i % 3 == 0 ? "ann" : "bob";
      builder.transaction().provenance.cause =
          i % 5 == 0 ? engine::Cause::rule : engine::Cause::edit;
      add(builder.finish());
      if (i == 15) {
        EXPECT_TRUE(store_->checkpoint());
      }
    }
    testing::TransactionBuilder builder(*store_->next());
    deleted_ = store_->next()->graph.find(Kind::link, "urn:c:link:7").front();
    builder.erase(deleted_);
    builder.token("poller");
    builder.account("ann");
    add(builder.finish());
    add(testing::import_topology(*store_->next(), "d", 60));
  }
  static engine::Transaction import_topology(const engine::State& state, const char* name,
                                             std::size_t nodes) {
    return testing::import_topology(state, name, nodes);
  }

  Node node_;
  std::unique_ptr<Store> store_;
  std::vector<engine::StatePtr> states_;
  std::vector<Head> heads_;
  std::vector<engine::Transaction> transactions_;
  RecordId renamed_;
  RecordId deleted_;
};

}  // namespace netml::wal::test
