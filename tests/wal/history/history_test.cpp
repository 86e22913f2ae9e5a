// Goal: questions about the past are answered from the journal as it was written, wherever segments
// end and whatever became of the index.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/wal/history/history.hpp"
#include "wal/history/copy_until.hpp"
#include "wal/history/past_state.hpp"
#include "wal/journal/segment.hpp"
#include "wal/upkeep/verify.hpp"

namespace netml::wal::test {
namespace {

using Written = std::map<std::uint32_t, Lsn>;
using engine::Field;
using engine::FieldValue;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TransactionBuilder;

JournalReader open(WrittenHistory& written, JournalIndex& index) {
  auto reader = JournalReader::open(written.node().root(), written.view(), index);
  EXPECT_TRUE(reader) << reader.error().message;
  return *std::move(reader);
}

std::vector<std::uint64_t> lsns(JournalReader& reader, const HistoryQuery& query,
                                std::size_t limit = 1000) {
  std::vector<std::uint64_t> found;
  const Status read = reader.history(query, [&](const HistoryEntry& entry) {
    found.push_back(entry.lsn.value);
    return found.size() < limit;
  });
  EXPECT_TRUE(read) << read.error().message;
  return found;
}

class History : public ::testing::Test {
 protected:
  WrittenHistory written_;
  JournalIndex index_{written_.node().root(), JournalIndex::Keep::in_files};
  std::uint64_t head() const { return written_.states().size() - 1; }
};

TEST_F(History, TellsOfEveryTransactionWhoDidItAndHowMuch) {
  JournalReader reader = open(written_, index_);
  std::uint64_t next = 1;
  const Status read = reader.history({}, [&](const HistoryEntry& entry) {
    EXPECT_EQ(entry.lsn.value, next);
    EXPECT_EQ(entry.provenance.actor, written_.transactions()[next].provenance.actor);
    EXPECT_EQ(entry.counts, count_changes(written_.transactions()[next]));
    EXPECT_EQ(entry.digest, written_.states()[next]->digest());
    EXPECT_EQ(entry.chain, written_.heads()[next].chain);
    ++next;
    return true;
  });
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(next, head() + 1);
}

TEST_F(History, ComesInBothOrdersWithLimitsAndFilters) {
  JournalReader reader = open(written_, index_);
  EXPECT_THAT(lsns(reader, {.order = Order::newest_first}, 3),
              ElementsAre(head(), head() - 1, head() - 2));
  EXPECT_THAT(lsns(reader, {.first = Lsn{2}, .last = Lsn{4}}), ElementsAre(2, 3, 4));
  EXPECT_THAT(lsns(reader, {.first = Lsn{head() + 1}}), IsEmpty());
  for (const Order order : {Order::oldest_first, Order::newest_first}) {
    HistoryQuery query{.order = order};
    query.actor = "ann";
    query.cause = engine::Cause::rule;
    std::vector<std::uint64_t> expected;
    for (std::uint64_t lsn = 1; lsn <= head(); ++lsn) {
      const engine::Provenance& who = written_.transactions()[lsn].provenance;
      if (who.actor == "ann" && who.cause == engine::Cause::rule) expected.push_back(lsn);
    }
    if (order == Order::newest_first) std::ranges::reverse(expected);
    EXPECT_EQ(lsns(reader, query), expected);
  }
}

TEST_F(History, FindsTheTransactionsOfARecordATopologyAndAnImport) {
  JournalReader reader = open(written_, index_);
  std::vector<std::uint64_t> of_node;
  for (std::uint64_t lsn = 1; lsn <= head(); ++lsn)
    for (const engine::RecordChange& change : written_.transactions()[lsn].records)
      if (change.id == written_.renamed()) of_node.push_back(lsn);
  EXPECT_EQ(of_node.size(), 31U);
  HistoryQuery query;
  query.records = {written_.renamed()};
  EXPECT_EQ(lsns(reader, query), of_node);
  query.order = Order::newest_first;
  EXPECT_THAT(lsns(reader, query, 1), ElementsAre(of_node.back()));

  const engine::Graph& graph = written_.states().back()->graph;
  query = {};
  query.topologies = {graph.find(Kind::topology, "urn:c").front()};
  EXPECT_THAT(lsns(reader, query), ElementsAre(3, head() - 1));  // made, lost a link
  EXPECT_EQ(*reader.imports_written({4}), (Written{{4, Lsn{head()}}}));
  Written each;
  for (const std::uint32_t number : {1, 2, 3, 4}) each.merge(*reader.imports_written({number}));
  EXPECT_THAT(each, ::testing::SizeIs(4));
  EXPECT_EQ(*reader.imports_written({1, 2, 3, 4, 99}), each);
}

// A transaction concerns a topology when it changes it, or what belongs to it before or after.
bool concerns(const engine::Transaction& transaction, RecordId topology) {
  const auto belongs = [&](const engine::Record& record) {
    return record && std::ranges::find(record.relations->topologies(), topology) !=
                         record.relations->topologies().end();
  };
  return std::ranges::any_of(transaction.records,
                             [&](const engine::RecordChange& change) {
                               return change.id == topology || belongs(change.before) ||
                                      belongs(change.after);
                             }) ||
         std::ranges::find(transaction.renumberings, topology, &engine::Renumbering::topology) !=
             transaction.renumberings.end();
}

TEST_F(History, OfATopologyTellsOfEveryChangeOfWhatBelongsToIt) {
  const auto graph = [&]() -> const engine::Graph& { return written_.store().next()->graph; };
  const auto named = [&](Kind kind, const char* id) { return graph().find(kind, id).front(); };
  const RecordId node = named(Kind::node, "urn:a:node:5");
  const RecordId other = named(Kind::topology, "urn:d");
  const auto change = [&](RecordId id, const engine::RelationFields& relations) {
    TransactionBuilder builder(*written_.store().next());
    builder.change(id, {graph().record(id).attributes, engine::Relations::make(relations)});
    written_.add(builder.finish());
  };
  const auto rename = [&](const char* name) {
    TransactionBuilder builder(*written_.store().next());
    builder.rename(node, name);
    written_.add(builder.finish());
  };
  rename("in a");
  engine::RelationFields relations = graph().relations(node).fields();
  change(node, {.topologies = relations.topologies});  // loses its owner
  const RecordId both[] = {named(Kind::topology, "urn:a"), other};
  change(node, {.topologies = both});
  rename("in both");
  change(node, {.topologies = std::span(&other, 1)});
  rename("in d");
  written_.add(testing::import_topology(*written_.store().next(), "e", 60));

  JournalReader reader = open(written_, index_);
  graph().for_each_record([&](RecordId topology) {
    if (graph().kind(topology) != Kind::topology) return;
    std::vector<std::uint64_t> expected;
    for (std::uint64_t lsn = 1; lsn <= head(); ++lsn)
      if (concerns(written_.transactions()[lsn], topology)) expected.push_back(lsn);
    HistoryQuery query;
    query.topologies = {topology};
    EXPECT_EQ(lsns(reader, query), expected) << graph().attributes(topology).id();
    std::ranges::reverse(expected);
    query.order = Order::newest_first;
    EXPECT_EQ(lsns(reader, query), expected) << graph().attributes(topology).id();
  });
}

TEST_F(History, ShowsEffectsAsTheyWereWritten) {
  JournalReader reader = open(written_, index_);
  for (std::uint64_t lsn = 1; lsn <= head(); ++lsn) {
    const engine::Transaction& transaction = written_.transactions()[lsn];
    std::vector<RecordId> expected;
    for (const engine::RecordChange& change : transaction.records) expected.push_back(change.id);
    std::vector<RecordId> found;
    std::size_t entries = 0;
    const Status read = reader.effects(Lsn{lsn}, [&](const JournalEffects& effects) {
      for (const RecordEffect& effect : effects.records) found.push_back(effect.id);
      entries += effects.entries.size();
      return true;
    });
    ASSERT_TRUE(read) << lsn << ": " << read.error().message;
    EXPECT_EQ(found, expected) << lsn;
    EXPECT_EQ(entries,
              transaction.imports.size() + transaction.tokens.size() + transaction.accounts.size());
  }
}

// What a reader may look at is bounded by the size of a frame, so it must not look twice.
TEST(HistoryOfLargeTransactions, ShowsAndCountsThousandsOfUpdates) {
  constexpr std::size_t kNodes = 5000;
  Node node(small_options(16 << 20));
  auto store = *node.open();
  ASSERT_TRUE(commit(*store, testing::import_topology(*store->next(), "many", kNodes)));
  TransactionBuilder builder(*store->next());
  store->next()->graph.for_each_record([&](RecordId id) {
    if (store->next()->graph.kind(id) == Kind::node) builder.rename(id, "x");
  });
  ASSERT_TRUE(commit(*store, builder.finish()));

  JournalIndex index(node.root(), JournalIndex::Keep::in_files);
  auto reader = JournalReader::open(node.root(), view_of(*store), index);
  ASSERT_TRUE(reader) << reader.error().message;
  std::size_t changed = 0;
  const Status read = reader->effects(reader->head(), [&](const JournalEffects& effects) {
    for (const RecordEffect& effect : effects.records) changed += effect.fields.size();
    return true;
  });
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(changed, kNodes);
  const auto counts = reader->counts_by_kind(reader->head());
  ASSERT_TRUE(counts) << counts.error().message;
  EXPECT_EQ((*counts)[static_cast<std::size_t>(Kind::node)],
            (engine::ChangeCounts{.created = 0, .updated = kNodes, .deleted = 0}));
}

TEST_F(History, CountsWhatATransactionDidByKind) {
  JournalReader reader = open(written_, index_);
  for (std::uint64_t lsn = 1; lsn <= head(); ++lsn) {
    CountsByKind expected;
    for (const engine::RecordChange& change : written_.transactions()[lsn].records) {
      const Kind kind = (change.after ? change.after : change.before).kind();
      engine::ChangeCounts& counts = expected[static_cast<std::size_t>(kind)];
      ++(!change.before ? counts.created : change.after ? counts.updated : counts.deleted);
    }
    const auto counts = reader.counts_by_kind(Lsn{lsn});
    ASSERT_TRUE(counts) << counts.error().message;
    EXPECT_EQ(*counts, expected) << lsn;
  }
  EXPECT_EQ(reader.counts_by_kind(Lsn{head() + 1}).error().code, Errc::not_found);
}

TEST_F(History, TellsOldAndNewValuesOfARecord) {
  JournalReader reader = open(written_, index_);
  std::vector<RecordEffect> effects;
  ASSERT_TRUE(reader.changes_of({written_.renamed()}, [&](Lsn, const RecordEffect& effect) {
    effects.push_back(effect);
    return true;
  }));
  ASSERT_EQ(effects.size(), 31U);
  EXPECT_EQ(effects[0].action, EffectAction::created);
  EXPECT_EQ(effects[0].kind, Kind::node);
  EXPECT_THAT(effects[0].fields,
              ::testing::Contains(engine::FieldChange{Field::coordinates, {}, "1.5, 2.5"}));
  EXPECT_EQ(effects[7].action, EffectAction::updated);
  EXPECT_THAT(effects[7].fields, ElementsAre(engine::FieldChange{Field::name, "name 5", "name 6"}));
}

// A5, C5: neither the token's code nor the password leaves the journal, in whatever form.
TEST_F(History, KeepsSecretsToItself_C5) {
  JournalReader reader = open(written_, index_);
  std::vector<EntryEffect> entries;
  ASSERT_TRUE(reader.effects(Lsn{head() - 1}, [&](JournalEffects effects) {
    entries = std::move(effects.entries);
    return true;
  }));
  ASSERT_EQ(entries.size(), 2U);
  for (const EntryEffect& entry : entries) {
    const auto secret = std::ranges::find(entry.fields, true, &engine::EntryFieldChange::secret);
    ASSERT_NE(secret, entry.fields.end());
    EXPECT_EQ(secret->before, FieldValue());
    EXPECT_EQ(secret->after, FieldValue());
    for (const engine::EntryFieldChange& field : entry.fields) {
      const auto* text = std::get_if<std::string>(&field.after);
      EXPECT_THAT(text == nullptr ? "" : *text, ::testing::Not(HasSubstr("sealed")));
    }
  }
}

TEST_F(History, KnowsWhatARecordWasCalledAndWhoEverWasCalledSo) {
  JournalReader reader = open(written_, index_);
  EXPECT_THAT(*reader.records_named("urn:b:node:3"), ElementsAre(written_.renamed()));
  EXPECT_THAT(*reader.records_named("urn:c:link:7"), ElementsAre(written_.deleted()));
  EXPECT_THAT(*reader.records_named("urn:nobody"), IsEmpty());
  const auto identity = *reader.identity(written_.deleted(), Lsn{head()});
  ASSERT_TRUE(identity);
  EXPECT_EQ(identity->identifier, "urn:c:link:7");
  EXPECT_EQ(identity->kind, Kind::link);
  EXPECT_FALSE(*reader.identity(written_.deleted(), Lsn{1}));
}

TEST_F(History, FindsTheTransactionOfATime) {
  JournalReader reader = open(written_, index_);
  const auto time = [&](std::uint64_t lsn) {
    return written_.transactions()[lsn].provenance.effective_time;
  };
  for (std::uint64_t lsn = 1; lsn <= head(); ++lsn) {
    EXPECT_EQ(*reader.at_time(time(lsn)), Lsn{lsn});
    EXPECT_EQ(*reader.at_time(WallTime{time(lsn).microseconds - 1}), Lsn{lsn - 1});
  }
  EXPECT_EQ(*reader.at_time(WallTime{time(head()).microseconds + 5}), Lsn{head()});
}

TEST_F(History, SeesNothingAboveTheHeadItWasOpenedWith) {
  JournalReader reader = open(written_, index_);
  const std::uint64_t old_head = head();
  written_.add(testing::import_topology(*written_.store().next(), "e", 60));
  EXPECT_EQ(reader.head(), Lsn{old_head});
  EXPECT_EQ(reader.entry(Lsn{head()}).error().code, Errc::not_found);
  EXPECT_EQ(lsns(reader, {}).back(), old_head);
  JournalReader newer = open(written_, index_);
  EXPECT_THAT(*newer.records_named("urn:e"), ::testing::SizeIs(1));
  EXPECT_THAT(*reader.records_named("urn:e"), IsEmpty());
  EXPECT_EQ(*reader.imports_written({5}), Written{});
  EXPECT_EQ(*newer.imports_written({5}), (Written{{5, Lsn{head()}}}));
}

// ---- the index ----

std::vector<std::string> index_files(Node& node) {
  std::vector<std::string> files = node.disk().files();
  std::erase_if(files, [](const std::string& path) { return !path.starts_with("index/"); });
  return files;
}

// All that is asked of the index.
std::vector<std::uint64_t> answers(WrittenHistory& written, JournalIndex& index) {
  JournalReader reader = open(written, index);
  std::vector<std::uint64_t> all;
  for (std::uint32_t id = 1; id < written.states().back()->graph.next_id().value; ++id) {
    HistoryQuery query;
    query.records = {RecordId{id}};
    for (const std::uint64_t lsn : lsns(reader, query)) all.push_back(lsn);
  }
  for (const char* name : {"urn:a", "urn:b:node:3", "urn:c:link:7"}) {
    const std::vector<RecordId> records = *reader.records_named(name);
    for (const RecordId id : records) all.push_back(id.value);
  }
  return all;
}

TEST_F(History, IsTheSameWithoutAnIndexWithADamagedOneAndWithThatOfAnotherSegment) {
  JournalIndex in_memory(written_.node().root(), JournalIndex::Keep::in_memory);
  const std::vector<std::uint64_t> expected = answers(written_, in_memory);
  EXPECT_GT(expected.size(), 300U);
  EXPECT_THAT(index_files(written_.node()), IsEmpty());

  EXPECT_EQ(answers(written_, index_), expected);
  EXPECT_THAT(open(written_, index_).index_findings(), IsEmpty());
  const std::vector<std::string> files = index_files(written_.node());
  ASSERT_GT(files.size(), 4U);
  testing::SimDisk& disk = written_.node().disk();
  const std::vector<std::byte> whole = disk.content(files[1]);

  disk.content(files[0]) = disk.content(files[2]);
  disk.remove(files[3]);
  for (std::size_t at = 0; at < whole.size(); at += 7) {
    disk.content(files[1]) = whole;
    disk.content(files[1])[at] ^= std::byte{4};
    const SegmentIdentity identity{written_.view().node, SegmentNumber{2},
                                   written_.store().manifest().segments[1].chain};
    EXPECT_FALSE(decode_segment_index(disk.content(files[1]), identity)) << at;
  }
  JournalIndex fresh(written_.node().root(), JournalIndex::Keep::in_files);
  EXPECT_THAT(open(written_, fresh).index_findings(),
              ElementsAre(HasSubstr(files[0]), HasSubstr(files[1])));
  EXPECT_EQ(answers(written_, fresh), expected);
  EXPECT_EQ(disk.content(files[1]), whole);  // made again
  EXPECT_THAT(open(written_, fresh).index_findings(), IsEmpty());
  EXPECT_EQ(index_files(written_.node()), files);
}

// The head of a transaction is what people note elsewhere.
TEST_F(History, TellsNoHeadThatTheChainOfHashesDoesNotLeadTo) {
  testing::SimDisk& disk = written_.node().disk();
  const auto journal = *written_.node().root().open_directory("journal");
  const SegmentEntry& last = written_.store().manifest().segments.back();
  const std::string name =
      fmt::format("{:020}-{:010}.journal", last.first_lsn.value, last.number.value);
  const Segment segment = *Segment::read(*journal, name);
  std::optional<Frame> frame = segment.frame_at(format::kSegmentHeaderBytes);
  while (frame && (frame->header.flags & format::kLastOfTransaction) == 0)
    frame = segment.frame_at(frame->end());
  ASSERT_TRUE(frame) << "the journal ends with a transaction";
  const std::uint64_t hash_at = frame->end() - format::kFrameHashBytes;
  for (std::uint64_t at = hash_at; at < frame->end(); at += 5) {
    disk.content("journal/" + name)[at] ^= std::byte{16};
    JournalReader reader = open(written_, index_);
    const auto entry = reader.entry(frame->header.position.lsn);
    ASSERT_FALSE(entry) << at;
    EXPECT_EQ(entry.error().code, Errc::corruption);
    EXPECT_THAT(entry.error().message, HasSubstr("the chain of hashes is broken"));
    disk.content("journal/" + name)[at] ^= std::byte{16};
  }
  EXPECT_TRUE(open(written_, index_).entry(frame->header.position.lsn));
}

TEST_F(History, ReportsDamageAfterWhatStandsBeforeIt) {
  testing::SimDisk& disk = written_.node().disk();
  const auto& segments = written_.store().manifest().segments;
  const std::size_t damaged = segments.size() / 2;
  std::vector<std::string> files = disk.files();
  std::erase_if(files, [](const std::string& path) { return !path.starts_with("journal/"); });
  disk.content(files[damaged])[format::kSegmentHeaderBytes + 20] ^= std::byte{1};
  for (const Order order : {Order::oldest_first, Order::newest_first}) {
    JournalReader reader = open(written_, index_);
    std::uint64_t last = 0;
    const Status read = reader.history({.order = order}, [&](const HistoryEntry& entry) {
      last = entry.lsn.value;
      return true;
    });
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, Errc::corruption);
    EXPECT_THAT(read.error().message, HasSubstr(files[damaged].substr(8)));
    EXPECT_NE(last, 0U);
  }
}

// ---- what answers cost, in files that are read ----

// The segments of which more than the header was read, by their place in the journal.
std::set<std::size_t> segments_read(Node& node, const testing::SimDisk::Reads& reads) {
  std::set<std::size_t> places;
  std::size_t place = 0;
  for (const std::string& path : node.disk().files()) {
    if (!path.starts_with("journal/")) continue;
    const auto read = reads.find(path);
    if (read != reads.end() && read->second > format::kSegmentHeaderBytes) places.insert(place);
    ++place;
  }
  return places;
}

std::size_t files_read(const testing::SimDisk::Reads& reads, std::string_view folder) {
  return static_cast<std::size_t>(std::ranges::count_if(
      reads, [&](const auto& read) { return read.first.starts_with(folder); }));
}

// Those that may hold a frame of a transaction in [first, last].
std::set<std::size_t> segments_of(WrittenHistory& written, std::uint64_t first,
                                  std::uint64_t last) {
  const auto& segments = written.store().manifest().segments;
  std::set<std::size_t> places;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const bool ends_before = i + 1 < segments.size() && segments[i + 1].first_lsn.value < first;
    if (segments[i].first_lsn.value <= last && !ends_before) places.insert(i);
  }
  return places;
}

TEST_F(History, LeadsToAStateByOneCheckpointAndTheSegmentsAfterIt) {
  ASSERT_TRUE(written_.store().checkpoint());
  const JournalView view = written_.view();
  ASSERT_GT(view.checkpoints.size(), 1U);
  InlineParallel parallel;
  Node& node = written_.node();
  node.disk().take_reads();
  for (std::uint64_t lsn = 1; lsn <= head(); ++lsn) {
    std::uint64_t base = 0;
    for (const CheckpointEntry& entry : view.checkpoints)
      if (entry.lsn.value <= lsn) base = std::max(base, entry.lsn.value);
    ASSERT_TRUE(state_at(node.root(), view, Lsn{lsn}, parallel));
    const testing::SimDisk::Reads reads = node.disk().take_reads();
    const std::size_t checkpoint_files = base == 0 ? 0 : 2;  // the graph, the catalog
    EXPECT_EQ(files_read(reads, "checkpoints/"), checkpoint_files) << lsn;
    if (base == lsn) {
      EXPECT_THAT(segments_read(node, reads), IsEmpty()) << lsn;
    } else {
      EXPECT_THAT(segments_read(node, reads),
                  ::testing::IsSubsetOf(segments_of(written_, base + 1, lsn)))
          << lsn;
    }
  }
}

TEST_F(History, ShowsTheNewestByReadingTheEndAlone) {
  Node& node = written_.node();
  node.disk().take_reads();
  JournalReader reader = open(written_, index_);
  lsns(reader, {.order = Order::newest_first}, 2);
  const testing::SimDisk::Reads reads = node.disk().take_reads();
  EXPECT_THAT(segments_read(node, reads),
              ::testing::IsSubsetOf(segments_of(written_, head() - 1, head())));
  EXPECT_EQ(files_read(reads, "index/"), 0U);
  EXPECT_EQ(files_read(reads, "checkpoints/"), 0U);
}

// What was not changed in a segment is known from its index.
TEST_F(History, OfARecordReadsTheSegmentsThatChangeIt) {
  Node& node = written_.node();
  answers(written_, index_);  // makes the index
  const std::size_t last_segment = written_.store().manifest().segments.size() - 1;
  ASSERT_GT(last_segment, 4U);
  std::set<std::size_t> wanted = segments_of(written_, 3, 3);
  wanted.merge(segments_of(written_, head() - 1, head() - 1));
  wanted.insert(last_segment);  // the one in use has no index
  ASSERT_LT(wanted.size(), last_segment);
  JournalIndex fresh(node.root(), JournalIndex::Keep::in_files);
  node.disk().take_reads();
  JournalReader reader = open(written_, fresh);
  std::size_t changes = 0;
  ASSERT_TRUE(reader.changes_of({written_.deleted()}, [&](Lsn, const RecordEffect&) {
    ++changes;
    return true;
  }));
  EXPECT_EQ(changes, 2U);
  EXPECT_THAT(segments_read(node, node.disk().take_reads()), ::testing::IsSubsetOf(wanted));
}

// ---- states ----

TEST_F(History, LeadsToEachStateThatWas_P6) {
  InlineParallel parallel;
  for (std::uint64_t lsn = 0; lsn <= head(); ++lsn) {
    const auto past = state_at(written_.node().root(), written_.view(), Lsn{lsn}, parallel);
    ASSERT_TRUE(past) << lsn << ": " << past.error().message;
    EXPECT_EQ(past->state->digest(), written_.states()[lsn]->digest()) << lsn;
    EXPECT_EQ(past->state->lsn, Lsn{lsn});
    EXPECT_EQ(past->head, written_.heads()[lsn]) << lsn;
  }
  const auto beyond = state_at(written_.node().root(), written_.view(), Lsn{99999}, parallel);
  EXPECT_EQ(beyond.error().code, Errc::not_found);
}

TEST_F(History, LeadsToEachStateWithoutAnyCheckpoint) {
  JournalView view = written_.view();
  ASSERT_FALSE(view.checkpoints.empty());
  view.checkpoints.clear();
  InlineParallel parallel;
  const auto past = state_at(written_.node().root(), view, Lsn{head()}, parallel);
  ASSERT_TRUE(past) << past.error().message;
  EXPECT_EQ(past->state->digest(), written_.states().back()->digest());
}

TEST_F(History, IsReadNoFurtherThanThereIsMemoryFor) {
  InlineParallel parallel;
  Storage& root = written_.node().root();
  JournalView view = written_.view();
  view.checkpoints.clear();
  std::uint64_t most = 0;
  const auto past = state_at(root, view, Lsn{head()}, parallel, [&](std::uint64_t bytes) {
    most = std::max(most, bytes);
    return Status();
  });
  ASSERT_TRUE(past);
  EXPECT_GT(most, past->state->graph.memory_bytes() / 2);
  int refused = 0;
  const auto without = state_at(root, view, Lsn{head()}, parallel, [&](std::uint64_t bytes) {
    if (bytes <= most / 2) return Status();
    ++refused;
    return Status(fail(Errc::unavailable, "no memory"));
  });
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().code, Errc::unavailable);
  EXPECT_EQ(without.error().message, "no memory");
  EXPECT_EQ(refused, 1);
}

TEST_F(History, ReadsNoCheckpointThatThereIsNoMemoryFor) {
  InlineParallel parallel;
  const JournalView view = written_.view();
  ASSERT_FALSE(view.checkpoints.empty());
  Node& node = written_.node();
  node.disk().take_reads();
  std::vector<std::uint64_t> asked;
  const auto past = state_at(node.root(), view, Lsn{head()}, parallel, [&](std::uint64_t bytes) {
    asked.push_back(bytes);
    return Status(fail(Errc::unavailable, "no memory"));
  });
  ASSERT_FALSE(past);
  EXPECT_EQ(past.error().code, Errc::unavailable);
  EXPECT_THAT(asked, ElementsAre(view.checkpoints.front().bytes()));
  EXPECT_EQ(files_read(node.disk().take_reads(), "checkpoints/"), 0U);
}

TEST_F(History, GivesWholeTransactionsBetweenTwoStates) {
  HelperThreads parallel;
  Storage& root = written_.node().root();
  const auto from = state_at(root, written_.view(), Lsn{2}, parallel);
  ASSERT_TRUE(from);
  std::uint64_t next = 3;
  const auto to = replay_from(
      root, written_.view(), *from, Lsn{20}, parallel, [&](const PastTransaction& past) {
        EXPECT_EQ(past.after->lsn, Lsn{next});
        EXPECT_EQ(past.before->digest(), written_.states()[next - 1]->digest());
        EXPECT_EQ(count_changes(past.transaction), count_changes(written_.transactions()[next]));
        ++next;
      });
  ASSERT_TRUE(to);
  EXPECT_EQ(next, 21U);
  EXPECT_EQ(to->head, written_.heads()[20]);
}

TEST_F(History, GivesTransactionsOneAtATimeUpToTheHead) {
  InlineParallel parallel;
  Storage& root = written_.node().root();
  const auto from = state_at(root, written_.view(), Lsn{2}, parallel);
  ASSERT_TRUE(from);
  const auto next = transactions_after(root, written_.view(), *from);
  ASSERT_TRUE(next);
  Lsn last{2};
  for (auto step = (*next)(); step && *step; step = (*next)()) {
    const ReplayedTransaction& past = **step;
    EXPECT_GT(past.after->lsn, last);
    EXPECT_EQ(past.before->digest(), written_.states()[last.value]->digest());
    last = past.after->lsn;
    EXPECT_EQ(past.after->digest(), written_.states()[last.value]->digest());
    EXPECT_EQ(count_changes(past.transaction), count_changes(written_.transactions()[last.value]));
  }
  EXPECT_EQ(written_.states()[last.value]->digest(), written_.states().back()->digest());
  const auto after = (*next)();
  ASSERT_TRUE(after);
  EXPECT_FALSE(*after) << "there is nothing behind the head";
}

TEST_F(History, GivesNoTransactionsWithoutMemoryForThem) {
  InlineParallel parallel;
  Storage& root = written_.node().root();
  const auto from = state_at(root, written_.view(), Lsn{2}, parallel);
  ASSERT_TRUE(from);
  const auto next = transactions_after(root, written_.view(), *from, [](std::uint64_t) {
    return Status(fail(Errc::unavailable, "no memory"));
  });
  ASSERT_TRUE(next);
  const auto step = (*next)();
  ASSERT_FALSE(step);
  EXPECT_EQ(step.error().code, Errc::unavailable);
}

TEST_F(History, IsCopiedUpToAnyTransactionAndGoesOnFromThere_L4) {
  InlineParallel parallel;
  for (std::uint64_t lsn = 1; lsn <= head(); lsn += lsn < 4 ? 1 : 5) {
    Node copy(small_options(4096 + (8 << 10)));
    const auto copied =
        copy_until(written_.node().root(), written_.view(), Lsn{lsn},
                   written_.states().back()->catalog, copy.root(), WallTime{1}, parallel);
    ASSERT_TRUE(copied) << lsn << ": " << copied.error().message;
    EXPECT_EQ(*copied, written_.heads()[lsn]);
    const auto report = verify(copy.root(), parallel);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_THAT(report->findings, IsEmpty()) << lsn;
    EXPECT_EQ(report->head, written_.heads()[lsn]);
    {
      auto store = copy.open();
      ASSERT_TRUE(store) << lsn << ": " << store.error().message;
      EXPECT_EQ((*store)->head()->digest(), written_.states()[lsn]->digest());
      EXPECT_THAT((*store)->recovery().warnings, IsEmpty());
      ASSERT_TRUE(commit(**store, testing::import_topology(*(*store)->next(), "more", 60)));
    }
    ASSERT_TRUE(copy.open());
    EXPECT_THAT(verify(copy.root(), parallel)->findings, IsEmpty());
  }
}

TEST_F(History, TellsHowFarItsCopyIs) {
  InlineParallel parallel;
  JournalView view = written_.view();
  view.checkpoints.clear();
  std::map<std::string, std::vector<WorkNow>> reported;
  Node copy(small_options(4096 + (8 << 10)));
  const auto copied = copy_until(
      written_.node().root(), view, Lsn{head()}, written_.states().back()->catalog, copy.root(),
      WallTime{1}, parallel, [&](const WorkNow& now) { reported[now.part].push_back(now); });
  ASSERT_TRUE(copied) << copied.error().message;
  ASSERT_FALSE(reported["state"].empty()) << "there is no checkpoint";
  EXPECT_EQ(reported["state"].back().unit, WorkUnit::transactions);
  EXPECT_EQ(reported["state"].front().done, 1U);
  EXPECT_EQ(reported["state"].back().done, head());
  EXPECT_EQ(reported["state"].back().total, head());
  ASSERT_GE(reported["journal"].size(), 2U);
  EXPECT_EQ(reported["journal"].front().done, 0U);
  EXPECT_EQ(reported["journal"].back().done, reported["journal"].size() - 1);
  EXPECT_EQ(reported["journal"].back().total, reported["journal"].size() - 1);
}

TEST_F(History, IsNotCopiedWithoutATransaction) {
  InlineParallel parallel;
  Node copy;
  const auto nothing =
      copy_until(written_.node().root(), written_.view(), Lsn{0}, written_.states().back()->catalog,
                 copy.root(), WallTime{1}, parallel);
  EXPECT_EQ(nothing.error().code, Errc::invalid_input);
}

TEST(PastState, IsRefusedForATransactionThatWasAborted) {
  Node node(small_options(64 << 10));
  auto store = *node.open();
  ASSERT_TRUE(commit(*store, testing::import_topology(*store->next(), "a", 3)));
  // Its own log says that the node exists; the state does not.
  engine::Transaction wrong = testing::import_topology(*store->next(), "b", 3000);
  wrong.records.back().before = wrong.records.back().after;
  ASSERT_FALSE(store->append(wrong));
  ASSERT_TRUE(commit(*store, testing::import_topology(*store->next(), "c", 3)));
  ASSERT_EQ(store->head()->lsn, Lsn{3});

  InlineParallel parallel;
  const auto past = state_at(node.root(), view_of(*store), Lsn{2}, parallel);
  ASSERT_FALSE(past);
  EXPECT_EQ(past.error().code, Errc::not_found);
  EXPECT_THAT(past.error().message, HasSubstr("the one before is LSN 1"));
  JournalIndex index(node.root(), JournalIndex::Keep::in_memory);
  auto reader = *JournalReader::open(node.root(), view_of(*store), index);
  EXPECT_FALSE(reader.entry(Lsn{2})->committed);
  EXPECT_THAT(lsns(reader, {}), ElementsAre(1, 2, 3));
  EXPECT_THAT(*reader.records_named("urn:b"), IsEmpty());
  EXPECT_EQ(*reader.committed_before(Lsn{2}), Lsn{1});
}

}  // namespace
}  // namespace netml::wal::test
