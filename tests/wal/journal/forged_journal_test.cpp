// Goal: a journal that was cut short or closed up manually is refused, although every checksum and
// every hash in it is right (J3, J5, 1.5).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/wal/support/node.hpp"
#include "wal/format/frame.hpp"
#include "wal/journal/segment.hpp"
#include "wal/upkeep/verify.hpp"

namespace netml::wal::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class ForgedJournal : public ::testing::Test {
 protected:
  enum class Checkpoint : std::uint8_t { none, at_the_end };
  void write(Checkpoint checkpoint = Checkpoint::none) {
    auto store = *node_.open();
    for (const char* name : {"a", "b", "c"})
      EXPECT_TRUE(commit(*store, testing::import_topology(*store->next(), name, 2)));
    if (checkpoint == Checkpoint::at_the_end) {
      EXPECT_TRUE(store->checkpoint());
    }
    node_id_ = store->manifest().node;
  }

  std::vector<std::byte>& bytes() { return node_.disk().content(path()); }
  std::string path() {
    for (const std::string& file : node_.disk().files())
      if (file.starts_with("journal/")) return file;
    return {};
  }
  Segment segment() {
    const auto journal = *node_.root().open_directory("journal");
    return *Segment::read(*journal, path().substr(path().find('/') + 1));
  }
  static std::vector<Frame> frames_of(const Segment& segment) {
    std::vector<Frame> frames;
    for (auto frame = segment.frame_at(format::kSegmentHeaderBytes); frame;
         frame = segment.frame_at(frame->end()))
      frames.push_back(*frame);
    return frames;
  }

  // Only the frames that `stays` accepts, closed up, with all that is to fit made to fit.
  void keep(const std::function<bool(const Frame&)>& stays) {
    const Segment before = segment();
    std::vector<std::byte>& out = bytes();
    std::fill(out.begin() + format::kSegmentHeaderBytes, out.end(), std::byte{});
    Chain chain(before.header().previous_chain);
    std::uint64_t at = format::kSegmentHeaderBytes;
    for (const Frame& frame : frames_of(before)) {
      if (!frame.header.in_order() || !stays(frame)) continue;
      const std::span<std::byte> place = std::span(out).subspan(at, frame.end() - frame.offset);
      encode_frame_header(frame.header, {node_id_, before.header().number, at},
                          place.first<format::kFrameHeaderBytes>());
      std::ranges::copy(frame.payload, place.subspan(format::kFrameHeaderBytes).begin());
      chain.reset(chain.next(frame.header, chain.hash_payload(frame.payload)));
      std::ranges::copy(chain.head(), place.last<format::kFrameHashBytes>().begin());
      at += place.size();
    }
  }

  // As if nothing had been known to be durable.
  void forget_what_was_durable() {
    for (const char* name : {"manifest-0", "manifest-1"}) {
      Manifest manifest = *decode_manifest(node_.disk().content(name), name);
      manifest.durable = {};
      node_.disk().content(name) = encode_manifest(manifest);
    }
  }

  void expect_refused(const std::string& text) {
    InlineParallel parallel;
    EXPECT_THAT(verify(node_.root(), parallel)->findings, Not(IsEmpty()));
    const auto opened = node_.open();
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, Errc::corruption);
    EXPECT_THAT(opened.error().message, HasSubstr(text));
  }

  Node node_;
  NodeUuid node_id_;
};

TEST_F(ForgedJournal, WithAllFramesIsTheJournal) {
  write();
  keep([](const Frame&) { return true; });
  InlineParallel parallel;
  EXPECT_THAT(verify(node_.root(), parallel)->findings, IsEmpty());
  EXPECT_EQ((*node_.open())->head()->lsn, Lsn{3});
}

TEST_F(ForgedJournal, WithoutATransactionInTheMiddleIsRefused_J3) {
  write();
  keep([](const Frame& frame) { return frame.header.position.lsn != Lsn{2}; });
  expect_refused("LSN 2");
}

TEST_F(ForgedJournal, ThatEndsBelowACheckpointIsRefused_J6) {
  write(Checkpoint::at_the_end);
  keep([](const Frame& frame) { return frame.header.position.lsn < Lsn{3}; });
  forget_what_was_durable();
  expect_refused("LSN 3");
}

}  // namespace
}  // namespace netml::wal::test
