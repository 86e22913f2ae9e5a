// Goal: whoever asks for the hash at an old LSN is answered from the journal, at a price that does
// not grow with it.
#include "wal/cluster/past_hashes.hpp"

#include <gtest/gtest.h>

#include "tests/wal/history/history.hpp"

namespace netml::wal::test {
namespace {

TEST(PastHashes, AreThoseOfTheHeadsThatWere) {
  WrittenHistory history;
  PastHashes hashes(history.node().root());
  for (int round = 0; round < 2; ++round) {
    for (std::size_t lsn = 1; lsn < history.heads().size(); ++lsn) {
      const Result<Sha256> hash = hashes.at(Lsn{lsn}, history.view());
      ASSERT_TRUE(hash) << hash.error().message;
      EXPECT_EQ(*hash, history.heads()[lsn].chain) << lsn;
    }
    history.add(testing::import_topology(*history.store().next(), "later", 60));
  }
}

TEST(PastHashes, AreReadFromOneSegmentHoweverManyThereAre) {
  WrittenHistory history;
  PastHashes hashes(history.node().root());
  for (std::size_t lsn = 1; lsn < history.heads().size(); ++lsn)
    ASSERT_TRUE(hashes.at(Lsn{lsn}, history.view()));
  testing::SimDisk& disk = history.node().disk();
  disk.take_reads();
  ASSERT_TRUE(hashes.at(Lsn{2}, history.view()));
  EXPECT_EQ(disk.take_reads().size(), 1U);
}

TEST(PastHashes, AreNotToBeHadOfWhatIsNotThere) {
  WrittenHistory history;
  PastHashes hashes(history.node().root());
  const Result<Sha256> beyond = hashes.at(history.view().head.lsn.next(), history.view());
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().code, Errc::not_found);
}

}  // namespace
}  // namespace netml::wal::test
