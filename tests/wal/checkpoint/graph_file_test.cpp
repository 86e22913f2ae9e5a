// Goal: a graph that is used where its checkpoint is mapped is the graph that was stored, costs
// what is looked at, and shows no damaged byte (K1, P4). Method: the same changes to it and to one
// in memory; every bit flipped; disks that fail at the first touch.
#include "wal/checkpoint/graph_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <thread>

#include "engine/base/guarded.hpp"
#include "tests/support/colliding_identifiers.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/wal/support/node.hpp"
#include "wal/checkpoint/checkpoint.hpp"
#include "wal/checkpoint/detail/graph_sections.hpp"
#include "wal/storage/crc32c.hpp"
#include "wal/storage/mapping_fault.hpp"
#include "wal/storage/posix_storage.hpp"

namespace netml::wal::test {
namespace {

using engine::Graph;
using engine::State;
using ::testing::HasSubstr;
using testing::import_topology;
using testing::TransactionBuilder;

constexpr std::uint64_t kProveNone = 0;

State with(const State& state, const engine::Transaction& transaction) {
  return *engine::apply(state, transaction, state.lsn.next());
}

// What a graph shows, by its digest anew: every record, number and edge is looked at.
engine::Digest digest_of_all(const Graph& graph) {
  engine::Digest sum;
  graph.for_each_record([&](RecordId id) {
    sum +=
        engine::digest_of(engine::DigestRole::attributes, id.value, graph.attributes(id).bytes());
    sum += engine::digest_of(engine::DigestRole::relations, id.value, graph.relations(id).bytes());
    sum += engine::digest_of_number(id.value, graph.number(id).value);
    EXPECT_TRUE(graph.is_only(id, graph.kind(id), graph.attributes(id).id()) ||
                graph.find(graph.kind(id), graph.attributes(id).id()).size() > 1);
    for (const RecordId topology : graph.relations(id).topologies()) {
      const auto run = graph.referrers_after(topology, RecordId{id.value - 1});
      EXPECT_TRUE(!run.keys.empty() && run.keys.front() == engine::edge_key(topology, id));
    }
  });
  return sum;
}

std::vector<RecordId> topologies_of(const Graph& graph) {
  std::vector<RecordId> found;
  graph.for_each_of(Kind::topology, [&](RecordId id) { found.push_back(id); });
  return found;
}

// A disk that does to reads what a test says.
class WatchedFile final : public File {
 public:
  using OnRead = std::function<Status(std::uint64_t offset)>;
  WatchedFile(std::unique_ptr<File> file, OnRead on_read)
      : file_(std::move(file)), on_read_(std::move(on_read)) {}

  Result<std::size_t> read(std::uint64_t offset, std::span<std::byte> bytes) override {
    NETML_TRY_VOID(on_read_(offset));
    return file_->read(offset, bytes);
  }
  Status write(std::uint64_t, std::span<const std::byte>) override { return {}; }
  Status truncate(std::uint64_t) override { return {}; }
  Result<std::uint64_t> size() override { return file_->size(); }
  Result<std::shared_ptr<const Mapping>> map() override { return file_->map(); }
  Status sync_data() override { return {}; }
  Status sync() override { return {}; }
  const std::string& path() const override { return file_->path(); }

 private:
  std::unique_ptr<File> file_;
  OnRead on_read_;
};

class MappedGraph : public ::testing::Test {
 protected:
  // With something in each section: a main topology, one identifier twice, a copy, and records that
  // are gone.
  static std::shared_ptr<const State> state_of(std::size_t nodes) {
    const State empty;
    const State first = with(empty, import_topology(empty, "a", nodes));
    const State second = with(first, import_topology(first, "b", 3));
    TransactionBuilder edit(second);
    edit.rename(RecordId{2}, "renamed");
    edit.erase(RecordId{second.graph.next_id().value - 1});  // a link, which nothing refers to
    engine::AttributeFields fields;
    fields.id = "urn:main";
    fields.main = true;
    const RecordId main = edit.create(fields, {});
    for (const char* id : {"urn:twice", "urn:twice"}) edit.institution(id, main);
    const engine::Property from[] = {{engine::kFromTopology, "urn:a"}};
    fields = {};
    fields.kind = Kind::institution;
    fields.id = "urn:copy";
    fields.properties = from;
    edit.create(fields, {.topologies = std::span(&main, 1)});
    return std::make_shared<const State>(with(second, edit.finish()));
  }

  static std::uint64_t end_of_body(const Footer& footer) {
    std::uint64_t end = format::kCheckpointHeaderBytes;
    for (const BodySection& section : footer.body->sections)
      end = std::max(end, section.offset + section.bytes);
    return (end + format::kBodyAlignment - 1) / format::kBodyAlignment * format::kBodyAlignment;
  }

  void store(Storage& storage, const std::shared_ptr<const State>& state) {
    state_ = state;
    files_ = *write_checkpoint(storage, {NodeUuid{}, {state->lsn, {}}, state}, inline_);
  }
  void store(std::size_t nodes) { store(*storage_, state_of(nodes)); }
  Result<Checkpoint> open(std::uint64_t proved_bytes = kProveNone) {
    return open_checkpoint(*storage_, NodeUuid{}, files_, inline_, proved_bytes);
  }

  // The file opened by itself, from a disk that is watched.
  std::shared_ptr<const GraphFile> open_watched(Storage& storage, WatchedFile::OnRead on_read) {
    const auto checkpoint = open_checkpoint(storage, NodeUuid{}, files_, inline_, kProveNone);
    EXPECT_TRUE(checkpoint) << checkpoint.error().message;
    const Footer& footer = checkpoint->graph_file->footer();
    auto opened =
        GraphFile::open(std::make_unique<WatchedFile>(
                            *storage.open(files_.graph.name, OpenMode::read), std::move(on_read)),
                        format::kCheckpointHeaderBytes, end_of_body(footer), footer);
    EXPECT_TRUE(opened) << opened.error().message;
    return *opened;
  }

  testing::SimDisk disk_;
  std::unique_ptr<Storage> storage_ = disk_.root();
  InlineParallel inline_;
  std::shared_ptr<const State> state_;
  CheckpointFiles files_;
};

TEST_F(MappedGraph, IsTheGraphThatWasStored_K1) {
  for (const std::size_t nodes : {0, 1, 70, 3000}) {
    store(nodes);
    const auto read = open();
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_FALSE(read->proved);
    const Graph& graph = read->state->graph;
    EXPECT_EQ(digest_of_all(graph), state_->graph.digest());
    EXPECT_EQ(graph.mains(), state_->graph.mains());
    EXPECT_EQ(graph.copies(), state_->graph.copies());
    EXPECT_EQ(topologies_of(graph), topologies_of(state_->graph));
    EXPECT_EQ(graph.next_number(), state_->graph.next_number());
    EXPECT_EQ(graph.has_duplicates(), state_->graph.has_duplicates());
    graph.for_each_difference(state_->graph, [](RecordId id) { FAIL() << id.value; });
    const Status proved = read->graph_file->prove();
    EXPECT_TRUE(proved) << proved.error().message;
    EXPECT_GE(read->graph_file->bytes_checked(), read->graph_file->bytes());
  }
}

TEST_F(MappedGraph, ChangesAsAnyOther_K1) {
  store(500);
  const auto read = open();
  ASSERT_TRUE(read) << read.error().message;
  State mapped = *read->state;
  State plain = *state_;
  for (int round = 0; round < 20; ++round) {
    TransactionBuilder edit(plain);
    if (round % 3 == 0) {
      const engine::Transaction import = import_topology(plain, "more" + std::to_string(round), 40);
      mapped = with(mapped, import);
      plain = with(plain, import);
      continue;
    }
    edit.rename(RecordId{static_cast<std::uint32_t>(3 + round * 17)}, "again");
    edit.renumber(RecordId{1}, plain.graph.members(RecordId{1}, Kind::institution).size() +
                                   plain.graph.members(RecordId{1}, Kind::node).size() +
                                   plain.graph.members(RecordId{1}, Kind::link).size());
    const engine::Transaction changes = edit.finish();
    mapped = with(mapped, changes);
    plain = with(plain, changes);
  }
  EXPECT_EQ(mapped.digest(), plain.digest());
  EXPECT_EQ(digest_of_all(mapped.graph), plain.graph.digest());
  mapped.graph.for_each_difference(plain.graph, [](RecordId id) { FAIL() << id.value; });
  // And can be stored again, with the bytes of one that was never mapped.
  const auto again = write_checkpoint(
      *storage_, {NodeUuid{}, {Lsn{90}, {}}, std::make_shared<const State>(mapped)}, inline_);
  const auto first = write_checkpoint(
      *storage_, {NodeUuid{}, {Lsn{91}, {}}, std::make_shared<const State>(plain)}, inline_);
  ASSERT_TRUE(again && first);
  EXPECT_EQ(again->graph.bytes, first->graph.bytes);
}

// Also when a record that came behind the last stored one is the last to go.
TEST_F(MappedGraph, DoesNotShowAgainWhatIsGone_K1) {
  const State nothing;
  TransactionBuilder build(nothing);
  build.topology("a");
  build.topology("b");
  store(*storage_, std::make_shared<const State>(with(nothing, build.finish())));
  const auto read = open();
  ASSERT_TRUE(read) << read.error().message;
  TransactionBuilder more(*read->state);
  const RecordId last = more.topology("c");
  State state = with(*read->state, more.finish());
  for (const RecordId gone : {RecordId{1}, RecordId{2}, last}) {
    TransactionBuilder edit(state);
    edit.erase(gone);
    state = with(state, edit.finish());
    EXPECT_FALSE(state.graph.contains(gone));
  }
  EXPECT_EQ(state.graph.size(), 0U);
  EXPECT_EQ(digest_of_all(state.graph), state.graph.digest());
  EXPECT_FALSE(state.graph.record(RecordId{1}));
}

TEST_F(MappedGraph, IsProvedWhateverIdentifiersItHas_K1) {
  const auto [one, other] = netml::test::identifiers_of_one_hash();
  const State empty;
  TransactionBuilder build(empty);
  const RecordId topology = build.topology("t");
  const RecordId owner = build.institution("o", topology);
  build.node(one, topology, owner);
  build.node(other, topology, owner);
  const State apart = with(empty, build.finish());
  TransactionBuilder more(apart);
  more.node(one, topology, owner);
  const State shared = with(apart, more.finish());
  for (const State& state : {apart, shared}) {
    store(*storage_, std::make_shared<const State>(state));
    const auto read = open();
    ASSERT_TRUE(read) << read.error().message;
    const Status proved = read->graph_file->prove();
    EXPECT_TRUE(proved) << proved.error().message;
    EXPECT_EQ(read->state->graph.has_duplicates(), state.graph.size() == 5);
  }
}

TEST_F(MappedGraph, CostsWhatIsLookedAt) {
  store(20000);
  const auto read = open();
  ASSERT_TRUE(read);
  EXPECT_GT(read->graph_file->bytes_checked(), 0U);
  EXPECT_LE(read->graph_file->bytes_checked(), 2 * format::kBodyPieceBytes)
      << "the first keys of the sets";
  EXPECT_LT(read->state->graph.memory_bytes(), state_->graph.memory_bytes() / 20);
  static_cast<void>(read->state->graph.attributes(RecordId{9000}).id());
  EXPECT_LE(read->graph_file->bytes_checked(), 8 * format::kBodyPieceBytes);
}

// By itself, and with records that were changed: only pointers to records need care.
TEST_F(MappedGraph, KeepsItsFile) {
  store(70);
  State kept = *open()->state;
  EXPECT_EQ(digest_of_all(kept.graph), state_->graph.digest());
  kept = [&] {
    TransactionBuilder edit(kept);
    edit.rename(RecordId{5}, "again");
    return with(kept, edit.finish());
  }();
  EXPECT_EQ(kept.graph.attributes(RecordId{5}).name(), "again");
  EXPECT_TRUE(kept.graph.attributes(RecordId{6}) == state_->graph.attributes(RecordId{6}));
  kept = State();
}

// Whoever looks does not wait for the proof, which always reads; each piece counts once.
TEST_F(MappedGraph, IsProvedWhileItIsLookedAt) {
  store(20000);
  const auto read = open();
  ASSERT_TRUE(read);
  std::optional<Status> proved;
  {
    const std::jthread proof([&] { proved = read->graph_file->prove(); });
    read->state->graph.for_each_record([&](RecordId id) {
      EXPECT_TRUE(read->state->graph.attributes(id) == state_->graph.attributes(id));
    });
  }
  ASSERT_TRUE(proved && *proved) << (*proved).error().message;
  EXPECT_EQ(read->graph_file->bytes_checked(), read->graph_file->bytes());
}

// A checkpoint of what did not change is a copy of bytes: nothing stays in memory for it.
TEST_F(MappedGraph, IsStoredAgainWithoutBeingTaken) {
  store(20000);
  const auto read = open();
  ASSERT_TRUE(read);
  const std::vector<std::byte> first = disk_.content(files_.graph.name);
  const std::size_t before = read->state->graph.memory_bytes();
  const auto again =
      write_checkpoint(*storage_, {NodeUuid{}, {read->state->lsn, {}}, read->state}, inline_);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(disk_.content(again->graph.name), first);
  // The last leaf of each kind is not full, and so is looked at.
  EXPECT_LT(read->state->graph.memory_bytes(), before + 16384);

  // One of them changed, so that it lies beside those that did not; more records than were stored.
  TransactionBuilder edit(*read->state);
  edit.rename(RecordId{9000}, "renamed again");
  const State renamed = with(*read->state, edit.finish());
  const State grown = with(renamed, import_topology(renamed, "more", 1000));
  const auto changed = write_checkpoint(
      *storage_, {NodeUuid{}, {grown.lsn, {}}, std::make_shared<const State>(grown)}, inline_);
  ASSERT_TRUE(changed) << changed.error().message;
  const auto back = open_checkpoint(*storage_, NodeUuid{}, *changed, inline_, ~std::uint64_t{0});
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_TRUE(back->proved);
  EXPECT_EQ(back->state->graph.digest(), grown.graph.digest());
}

TEST_F(MappedGraph, OfCopiedRecordsOutlivesItsFile) {
  store(70);
  engine::AttributesPtr kept;
  {
    const auto read = read_checkpoint(*storage_, NodeUuid{}, files_, inline_);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_TRUE(read->proved);
    kept = read->state->graph.record(RecordId{5}).attributes;
  }
  EXPECT_TRUE(*kept == state_->graph.attributes(RecordId{5}));
}

// With NETML_DAMAGE_ALL=1 every bit; without, one of each byte.
TEST_F(MappedGraph, ShowsNoFlippedBit_P4) {
  store(80);  // more than one piece, so that not all is looked at on opening
  std::vector<std::byte>& content = disk_.content(files_.graph.name);
  const bool all = std::getenv("NETML_DAMAGE_ALL") != nullptr;
  std::size_t refused = 0;
  std::size_t thrown = 0;
  for (std::size_t bit = 0; bit < content.size() * 8; bit += all ? 1 : 7) {
    const auto mask = static_cast<std::byte>(1U << bit % 8);
    content[bit / 8] ^= mask;
    const Result<Checkpoint> read = open();
    if (!read) {
      ++refused;
    } else {
      const Result<engine::Digest> shown =
          guarded([&]() -> Result<engine::Digest> { return digest_of_all(read->state->graph); });
      if (shown)
        EXPECT_EQ(*shown, state_->graph.digest()) << "bit " << bit;
      else
        ++thrown;
      // The SHA-256 at the end is no part of what is shown; `netml verify` looks at it.
      const bool in_hash = bit / 8 >= content.size() - sizeof(Sha256);
      EXPECT_EQ(read->graph_file->prove().has_value(), in_hash) << "bit " << bit;
    }
    content[bit / 8] ^= mask;
  }
  EXPECT_GT(refused, 0U);
  EXPECT_GT(thrown, 0U);
  EXPECT_TRUE(open()->graph_file->prove());
}

TEST_F(MappedGraph, IsRefusedWhenItIsCut_P4) {
  store(20);
  const std::vector<std::byte> content = disk_.content(files_.graph.name);
  for (std::size_t size = 0; size < content.size(); size += 97) {
    disk_.content(files_.graph.name).resize(size);
    EXPECT_FALSE(open()) << size;
  }
  disk_.content(files_.graph.name) = content;
  EXPECT_TRUE(open());
}

// Checksums that are right do not make two sections agree.
TEST_F(MappedGraph, IsNotProvedWhenItIsAnotherOne_K1) {
  store(20);
  const auto read = open();
  Footer footer = read->graph_file->footer();
  const std::uint64_t end = end_of_body(footer);
  const auto proof = [&] {
    const auto opened = GraphFile::open(*storage_->open(files_.graph.name, OpenMode::read),
                                        format::kCheckpointHeaderBytes, end, footer);
    return opened ? (*opened)->prove() : tl::make_unexpected(opened.error());
  };
  EXPECT_TRUE(proof());
  const Footer good = footer;
  ++footer.digest.low;
  EXPECT_FALSE(proof());
  footer = good;
  ++footer.body->number_digest.high;
  EXPECT_FALSE(proof());
  footer = good;
  std::swap(footer.counts[2], footer.counts[3]);
  EXPECT_FALSE(proof());
  footer = good;
  footer.body->mains.clear();
  EXPECT_FALSE(proof());
  footer = good;
  footer.body->piece_bytes = std::numeric_limits<std::uint32_t>::max();
  EXPECT_FALSE(proof()) << "and no memory is taken for such a piece";
  for (std::size_t section = 0; section < kGraphSections; ++section) {
    footer = good;
    footer.body->sections[section].offset = ~std::uint64_t{7};
    EXPECT_FALSE(proof()) << section;
    footer = good;
    footer.body->sections[section].bytes -= section == 0 ? 8 : 1;
    EXPECT_FALSE(proof()) << section;
  }
  // Each in the place of another: they follow one another.
  for (std::size_t one = 0; one < kGraphSections; ++one)
    for (std::size_t other = 0; other < one; ++other) {
      footer = good;
      std::swap(footer.body->sections[one].offset, footer.body->sections[other].offset);
      EXPECT_FALSE(proof()) << one << " and " << other;
    }
}

// Whoever writes another byte can make its checksum fit, but not the state that it leads to.
TEST_F(MappedGraph, IsNotProvedWithAnotherByteThoughItsChecksumFits_K1) {
  store(3);
  const auto read = open();
  ASSERT_TRUE(read) << read.error().message;
  Footer footer = read->graph_file->footer();
  constexpr std::size_t kBegin = format::kCheckpointHeaderBytes;
  const std::size_t end = end_of_body(footer);
  ASSERT_EQ(footer.body->checksums.size(), 1U);
  std::vector<std::byte>& content = disk_.content(files_.graph.name);
  std::size_t without_meaning = 0;
  for (std::size_t at = kBegin; at < end; ++at) {
    content[at] ^= std::byte{1};
    footer.body->checksums[0] = crc32c(std::span(content).first(end).subspan(kBegin));
    const auto opened =
        GraphFile::open(*storage_->open(files_.graph.name, OpenMode::read), kBegin, end, footer);
    ASSERT_TRUE(opened) << opened.error().message;
    if ((*opened)->prove()) {
      ++without_meaning;
      EXPECT_EQ(digest_of_all((*opened)->graph(RecordUse::in_place)), state_->graph.digest());
    }
    content[at] ^= std::byte{1};
  }
  // What fills records and sections.
  std::size_t filling = end - kBegin;
  for (const BodySection& section : footer.body->sections) filling -= section.bytes;
  state_->graph.for_each_record([&](RecordId id) {
    constexpr std::size_t kCount = sizeof(std::uint32_t);
    const engine::Attributes& attributes = state_->graph.attributes(id);
    const engine::Relations& relations = state_->graph.relations(id);
    filling += attributes.stored_bytes() - 2 * kCount - attributes.bytes().size();
    filling += relations.stored_bytes() - kCount - relations.bytes().size();
  });
  EXPECT_EQ(without_meaning, filling);
}

// Else whoever looks for a key would look in the wrong leaf, and whoever walks would not end.
TEST_F(MappedGraph, RefusesKeysThatReachIntoTheNextLeaf_P4) {
  store(400);
  const auto read = open();
  ASSERT_TRUE(read) << read.error().message;
  const Footer good = read->graph_file->footer();
  const std::vector<std::byte> content = disk_.content(files_.graph.name);
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  // With another key, and checksums that fit.
  const auto opened_with = [&](std::uint64_t at, std::uint64_t key) {
    std::vector<std::byte>& bytes = disk_.content(files_.graph.name) = content;
    std::memcpy(bytes.data() + at, &key, kWord);
    Footer footer = good;
    auto rest = std::span<const std::byte>(bytes).first(end_of_body(footer));
    rest = rest.subspan(format::kCheckpointHeaderBytes);
    for (std::uint32_t& checksum : footer.body->checksums) {
      const auto piece = rest.first(std::min(rest.size(), format::kBodyPieceBytes));
      checksum = crc32c(piece);
      rest = rest.subspan(piece.size());
    }
    return *GraphFile::open(*storage_->open(files_.graph.name, OpenMode::read),
                            format::kCheckpointHeaderBytes, end_of_body(footer), footer);
  };
  const auto number_at = [&](std::uint64_t at) {
    std::uint64_t number = 0;
    std::memcpy(&number, content.data() + at, kWord);
    return number;
  };
  const auto looked = [](const GraphFile& file) {
    return guarded([&]() -> Status {
      static_cast<void>(file.graph(RecordUse::in_place).id_keys().run(0, 0));
      return {};
    });
  };
  const auto section = [&](GraphSection which) {
    return good.body->sections[static_cast<std::size_t>(which)];
  };
  constexpr std::size_t kLeafKeys = engine::OrderedSet::Source::kLeafKeys;
  ASSERT_GT(section(GraphSection::id_keys).bytes, kLeafKeys * kWord);
  const std::uint64_t behind = section(GraphSection::id_keys).offset + kLeafKeys * kWord;
  const std::uint64_t last = behind - kWord;
  EXPECT_TRUE(looked(*opened_with(last, number_at(last))));
  EXPECT_FALSE(looked(*opened_with(last, number_at(behind))));
  EXPECT_FALSE(looked(*opened_with(last, number_at(behind) + 1)));
  const std::uint64_t firsts = section(GraphSection::id_firsts).offset;
  EXPECT_FALSE(looked(*opened_with(firsts + kWord, number_at(firsts))));
}

// ---- disks ----

TEST_F(MappedGraph, SaysWhatTheDiskRefusedAtTheFirstTouch_P4) {
  store(20000);
  bool broken = false;
  const auto file = open_watched(*storage_, [&](std::uint64_t) -> Status {
    if (broken) return fail(Errc::io_error, "read: Input/output error");
    return {};
  });
  const Graph graph = file->graph(RecordUse::in_place);
  const std::string id(graph.attributes(RecordId{5}).id());
  broken = true;
  EXPECT_EQ(graph.attributes(RecordId{5}).id(), id) << "what was read stays";
  const Status looked = guarded([&]() -> Status {
    static_cast<void>(graph.attributes(RecordId{15000}).id());
    return {};
  });
  ASSERT_FALSE(looked);
  EXPECT_EQ(looked.error().code, Errc::io_error);
  EXPECT_FALSE(file->prove());
  broken = false;
  EXPECT_TRUE(file->prove()) << "it may pass";
}

TEST_F(MappedGraph, IsAnErrorWhenTheFileWasCutMeanwhile_P4) {
  const netml::test::TemporaryDirectory directory;
  const auto posix = *PosixStorage::open_path(directory.path().string());
  store(*posix, state_of(20000));
  const auto checkpoint = open_checkpoint(*posix, NodeUuid{}, files_, inline_, kProveNone);
  ASSERT_TRUE(checkpoint) << checkpoint.error().message;
  ASSERT_TRUE((*posix->open(files_.graph.name, OpenMode::write))->truncate(4096));
  const Status looked = guarded([&]() -> Status {
    static_cast<void>(checkpoint->state->graph.attributes(RecordId{15000}).id());
    return {};
  });
  ASSERT_FALSE(looked);
  EXPECT_THAT(looked.error().message, HasSubstr(files_.graph.name));
}

// A page that was good once, and is gone when it is touched again.
TEST_F(MappedGraph, EndsTheProcessWithTheNameOfAFileWhosePagesAreGone) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto die = [&] {
    end_on_mapping_faults();
    const netml::test::TemporaryDirectory directory;
    const auto posix = *PosixStorage::open_path(directory.path().string());
    store(*posix, state_of(20000));
    const auto checkpoint = open_checkpoint(*posix, NodeUuid{}, files_, inline_, kProveNone);
    const engine::Attributes& seen = checkpoint->state->graph.attributes(RecordId{15000});
    static_cast<void>((*posix->open(files_.graph.name, OpenMode::write))->truncate(0));
    std::fprintf(stderr, "%zu\n", seen.id().size());
  };
  EXPECT_EXIT(die(), ::testing::ExitedWithCode(kMappingFaultExitCode),
              "\\.graph: offset [0-9]+: cannot be read any more");
}

// ---- the store ----

// So many that the first records and the keys lie in several pieces.
constexpr std::size_t kNodesOfPieces = 400;

StoreOptions proving_behind() {
  StoreOptions options = small_options(1 << 20);
  options.proved_bytes = kProveNone;
  return options;
}

TEST(ProvedBehind, ADamagedCheckpointEndsWritingAndIsNotUsedAgain_P4) {
  Node node(proving_behind());
  engine::Digest digest;
  {
    const auto store = *node.open();
    for (const char* name : {"a", "b", "c"}) {
      ASSERT_TRUE(commit(*store, import_topology(*store->next(), name, kNodesOfPieces)));
      ASSERT_TRUE(store->checkpoint());
    }
    digest = store->head()->digest();
    ASSERT_TRUE(store->close());
  }
  const std::string damaged = "checkpoints/00000000000000000003.graph";
  node.disk().content(damaged)[2000] ^= std::byte{4};
  {
    const auto store = *node.open();
    ASSERT_NE(store->unproved(), nullptr);
    EXPECT_EQ(store->recovery().checkpoint, Lsn{3});
    const Status noted = store->note_proof(store->unproved()->prove());
    ASSERT_FALSE(noted);
    EXPECT_THAT(noted.error().message, HasSubstr("the checkpoint at LSN 3 is damaged"));
    EXPECT_EQ(store->write_state(), WriteState::failed);
  }
  const auto store = node.open();
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ((*store)->recovery().checkpoint, Lsn{2});
  EXPECT_EQ((*store)->head()->digest(), digest);
  EXPECT_TRUE((*store)->note_proof((*store)->unproved()->prove()));
  EXPECT_EQ((*store)->unproved(), nullptr);
  EXPECT_TRUE(commit(**store, import_topology(*(*store)->next(), "d", 2)));
}

// Two checkpoints, and a transaction behind that changes records of the newer one; the digest.
engine::Digest fill_with_journal_behind(Node& node) {
  const auto store = *node.open();
  for (const char* name : {"a", "b"}) {
    EXPECT_TRUE(commit(*store, import_topology(*store->next(), name, kNodesOfPieces)));
    EXPECT_TRUE(store->checkpoint());
  }
  TransactionBuilder edit(*store->next());
  for (std::uint32_t id = 1; id < 20; ++id) edit.rename(RecordId{id}, "x");
  EXPECT_TRUE(commit(*store, edit.finish()));
  return store->head()->digest();
}

TEST(ProvedBehind, ACheckpointThatTheJournalNeedsAndTheDiskRefusesIsNotUsed_P4) {
  Node node(proving_behind());
  const engine::Digest digest = fill_with_journal_behind(node);
  node.disk().inject_reads(
      [](const std::string& path, std::uint64_t offset) -> std::optional<Error> {
        const bool first_piece = offset == format::kCheckpointHeaderBytes;
        if (!first_piece || !path.ends_with("00000000000000000002.graph")) return std::nullopt;
        return Error{Errc::io_error, path + ": read: Input/output error"};
      });
  const auto store = node.open();
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ((*store)->recovery().checkpoint, Lsn{1});
  EXPECT_EQ((*store)->head()->digest(), digest);
}

TEST(ProvedBehind, ADamagedCheckpointThatTheJournalNeedsIsNotUsed_P4) {
  Node node(proving_behind());
  const engine::Digest digest = fill_with_journal_behind(node);
  node.disk().content("checkpoints/00000000000000000002.graph")[200] ^= std::byte{4};
  const auto store = node.open();
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ((*store)->recovery().checkpoint, Lsn{1});
  EXPECT_EQ((*store)->head()->digest(), digest);
}

}  // namespace
}  // namespace netml::wal::test
