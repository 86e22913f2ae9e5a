// Goal: the bytes on disk are those of docs/format/journal.md. The worked example there is decoded
// out of the page and compared with what the writer makes.
#include <gtest/gtest.h>

#include "tests/wal/support/node.hpp"
#include "tests/wal/support/page_example.hpp"
#include "wal/checkpoint/recovery.hpp"
#include "wal/format/commit_codec.hpp"
#include "wal/journal/frame_file.hpp"
#include "wal/journal/journal_walk.hpp"
#include "wal/journal/journal_writer.hpp"
#include "wal/journal/replay.hpp"
#include "wal/journal/segment.hpp"
#include "wal/storage/bytes.hpp"
#include "wal/storage/crc32c.hpp"
#include "wal/upkeep/verify.hpp"

namespace netml::wal::test {
namespace {

struct NoListener final : SegmentListener {
  Status segment_started(const SegmentStarted&, const std::optional<SegmentSealed>&) override {
    return {};
  }
};

// One transaction without effects, by "ann", and the watermark after it.
class WorkedExample : public ::testing::Test {
 protected:
  void SetUp() override {
    for (std::size_t i = 0; i < node_.bytes.size(); ++i) node_.bytes[i] = std::byte(i);
    JournalStart start;
    start.node = node_;
    start.chain = Chain::origin(node_);
    JournalOptions options;
    options.segment_bytes = 8192;
    NoListener listener;
    JournalWriter writer(*storage_, options, start, listener);
    engine::Transaction transaction;
    transaction.provenance.actor = "ann";
    transaction.provenance.wall_time = WallTime{1704067200000000};
    transaction.provenance.effective_time = transaction.provenance.wall_time;
    transaction.next_id = RecordId{1};
    transaction.next_number = RecordNumber{1};
    ASSERT_TRUE(writer.append_commit(transaction, {}));
    ASSERT_TRUE(writer.sync());
    ASSERT_TRUE(writer.append_watermark());
    chain_ = writer.chain();
    auto segment = Segment::read(*storage_, "00000000000000000001-0000000001.journal");
    ASSERT_TRUE(segment) << segment.error().message;
    segment_ = std::move(*segment);
  }

  testing::SimDisk disk_;
  std::unique_ptr<Storage> storage_ = disk_.root();
  NodeUuid node_;
  Sha256 chain_{};
  Segment segment_;
};

TEST_F(WorkedExample, IsByteForByteTheOneInThePage_J2_J3) {
  const std::span<const std::byte> all = segment_.from(0);
  const std::optional<Frame> commit = segment_.frame_at(format::kSegmentHeaderBytes);
  ASSERT_TRUE(commit);
  std::vector<std::byte> expected(all.begin(), all.begin() + 96);
  expected.insert(expected.end(), all.begin() + format::kSegmentHeaderBytes - 4,
                  all.begin() + static_cast<std::ptrdiff_t>(commit->end()));
  const std::vector<std::byte> page = hex_of_page("journal.md");
  EXPECT_TRUE(std::ranges::equal(page, expected)) << "what is written now:\n" << dump(expected);
}

TEST_F(WorkedExample, HasItsFieldsWhereThePageSays_J3_J4_J5) {
  const std::span<const std::byte> frame = segment_.from(format::kSegmentHeaderBytes);
  const auto payload_bytes = load<std::uint32_t>(frame, 8);
  EXPECT_EQ(load<std::uint32_t>(frame, 0), format::kFrameMagic);
  EXPECT_EQ(load<std::uint32_t>(frame, 12), crc32c(frame.subspan(48, payload_bytes)));
  EXPECT_EQ(load<std::uint8_t>(frame, 16), static_cast<std::uint8_t>(format::FrameKind::commit));
  EXPECT_EQ(load<std::uint8_t>(frame, 17), 3);  // first and last of its transaction
  EXPECT_EQ(load<std::uint16_t>(frame, 18), format::kVersion);
  EXPECT_EQ(load<std::uint32_t>(frame, 20), 1U);  // incarnation
  EXPECT_EQ(load<std::uint64_t>(frame, 24), 1U);  // LSN
  EXPECT_EQ(load<std::uint64_t>(frame, 32), 0U);  // ordinal
  EXPECT_EQ(load<std::uint64_t>(frame, 40), 0U);  // durable LSN
  const auto hash = frame.subspan(48 + payload_bytes, 32);
  EXPECT_TRUE(std::ranges::equal(hash, chain_));
  const auto commit = decode_commit(frame.subspan(48, payload_bytes));
  ASSERT_TRUE(commit) << commit.error().message;
  EXPECT_EQ(commit->provenance.actor, "ann");
}

TEST_F(WorkedExample, IsNoFrameInAnyOtherPlace_J4) {
  const auto header = segment_.from(format::kSegmentHeaderBytes).first<format::kFrameHeaderBytes>();
  const FramePlace right{node_, SegmentNumber{1}, format::kSegmentHeaderBytes};
  EXPECT_TRUE(decode_frame_header(header, right));
  FramePlace wrong = right;
  wrong.offset += 8;
  EXPECT_FALSE(decode_frame_header(header, wrong));
  wrong = right;
  wrong.segment = SegmentNumber{2};
  EXPECT_FALSE(decode_frame_header(header, wrong));
  wrong = right;
  wrong.node.bytes[0] ^= std::byte{1};
  EXPECT_FALSE(decode_frame_header(header, wrong));
}

TEST_F(WorkedExample, IsNoFrameWhenAnyBitOfHeaderOrPayloadIsDamaged_J3_C1) {
  const std::string path = "00000000000000000001-0000000001.journal";
  const std::uint64_t begin = format::kSegmentHeaderBytes;
  const std::uint64_t end = segment_.frame_at(begin)->end() - format::kFrameHashBytes;
  for (std::uint64_t at = begin; at < end; ++at) {
    std::byte& byte = disk_.content(path)[at];
    byte ^= std::byte{1} << (at % 8);
    EXPECT_FALSE(Segment::read(*storage_, path)->frame_at(begin)) << "offset " << at;
    byte ^= std::byte{1} << (at % 8);
  }
}

TEST_F(WorkedExample, HasTheWatermarkInAnotherSectorThanTheTransaction_J6) {
  const std::optional<Frame> commit = segment_.frame_at(format::kSegmentHeaderBytes);
  ASSERT_TRUE(commit);
  const std::optional<Frame> filler = segment_.frame_at(commit->end());
  ASSERT_TRUE(filler && filler->header.is(format::FrameKind::watermark));
  const std::optional<Frame> watermark = segment_.frame_at(filler->end());
  ASSERT_TRUE(watermark && watermark->header.is(format::FrameKind::watermark));
  EXPECT_EQ(watermark->offset % format::kSectorBytes, 0U);
  EXPECT_EQ(watermark->header.durable, Lsn{1});
  EXPECT_EQ(watermark->hash, chain_) << "outside the chain";
}

TEST(Replay, RefusesATransactionThatLeadsToAnotherStateThanItNames_P6) {
  for (const engine::Digest named : {engine::Digest{0, 0}, engine::Digest{1, 2}}) {
    testing::SimDisk disk;
    const auto storage = disk.root();
    NoListener listener;
    JournalWriter writer(*storage, JournalOptions{8192}, JournalStart{}, listener);
    ASSERT_TRUE(writer.append_commit({}, named));
    ASSERT_TRUE(writer.sync());
    JournalWalk walk(*storage, {}, *list_segments(*storage, {}));
    const auto step = walk.next();
    ASSERT_TRUE(step && *step);
    Replay replay(std::make_shared<const engine::State>());
    const Status added = replay.add((*step)->frame);
    EXPECT_EQ(added.has_value(), named == engine::Digest{});
    EXPECT_EQ(replay.applied(), named == engine::Digest{} ? 1U : 0U);
  }
}

TEST(JournalWalk, ReadsNoMoreOfTheLastSegmentThanItWalksOver) {
  Node node(small_options(16 << 20));
  const auto store = *node.open();
  for (const char* name : {"a", "b", "c"})
    ASSERT_TRUE(commit(*store, testing::import_topology(*store->next(), name, 900)));
  const NodeUuid& uuid = store->manifest().node;
  const auto journal = *node.root().open_directory(kJournalDirectory);
  const std::vector<SegmentHeader> segments = *list_segments(*journal, uuid);
  JournalWalk whole(*journal, uuid, segments);
  JournalWalk by_pieces(*journal, uuid, segments, LastSegment::by_pieces);
  while (by_pieces.position().lsn < Lsn{4}) {
    const auto step = by_pieces.next();
    const auto expected = whole.next();
    ASSERT_TRUE(step && *step && expected && *expected);
    EXPECT_EQ((*step)->chain, (*expected)->chain);
    EXPECT_TRUE(std::ranges::equal((*step)->frame.payload, (*expected)->frame.payload));
  }
  EXPECT_GE(whole.bytes_read(), 16U << 20);
  EXPECT_LT(by_pieces.bytes_read(), 8U << 20);
  EXPECT_FALSE(*by_pieces.next());
  EXPECT_FALSE(by_pieces.end().torn) << "at the end it has read all";
}

TEST(Crc32c, HasTheKnownValuesInBothForms) {
  const std::string_view digits = "123456789";
  const auto bytes = std::as_bytes(std::span(digits));
  EXPECT_EQ(crc32c(bytes), 0xe3069283U);
  EXPECT_EQ(crc32c_by_table(bytes), 0xe3069283U);
  EXPECT_EQ(crc32c(bytes.subspan(4), crc32c(bytes.first(4))), 0xe3069283U);
}

TEST(Frames, OfAnUnknownKindAreRefusedAsNewer_C3) {
  Node node;
  {
    auto store = *node.open();
    ASSERT_TRUE(commit(*store, testing::import_topology(*store->next(), "a", 1)));
  }
  std::string path;
  for (const std::string& file : node.disk().files())
    if (file.starts_with("journal/")) path = file;
  const auto journal = *node.root().open_directory("journal");
  const Segment segment = *Segment::read(*journal, path.substr(8));
  const std::optional<Frame> frame = segment.frame_at(format::kSegmentHeaderBytes);
  ASSERT_TRUE(frame);
  FrameHeader header = frame->header;
  header.kind = 99;
  encode_frame_header(header, {segment.header().node, segment.header().number, frame->offset},
                      std::span(node.disk().content(path))
                          .subspan(frame->offset)
                          .first<format::kFrameHeaderBytes>());
  FrameFile file = *FrameFile::open(*journal, segment.header());
  ScanPoint point{.position = segment.header().first};
  EXPECT_EQ(file.next(point).error().code, Errc::newer_version);
  EXPECT_EQ(file.frame(frame->offset, header.position.lsn).error().code, Errc::newer_version);
  const auto opened = node.open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Errc::newer_version);
  EXPECT_NE(opened.error().message.find("newer version"), std::string::npos);
  InlineParallel parallel;
  EXPECT_EQ(open_read_only(node.root(), node.clock(), parallel).error().code, Errc::newer_version)
      << "what is there of an older version is not what the data are now";
  const auto report = verify(node.root(), parallel);
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->newer_version);
  EXPECT_FALSE(report->journal_damaged) << "nothing is to be cut";
  EXPECT_EQ(report->findings.size(), 1U);
}

}  // namespace
}  // namespace netml::wal::test
