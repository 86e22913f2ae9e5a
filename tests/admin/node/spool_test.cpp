// Uploads on their way to disk: all or nothing, whatever the size of the pieces.
#include "admin/node/spool.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "engine/base/sha256.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/support/threads_here.hpp"
#include "wal/storage/packed_file.hpp"
#include "wal/storage/posix_storage.hpp"

namespace netml::admin {
namespace {

namespace fs = std::filesystem;

class SpoolTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directory(tmp()); }
  fs::path tmp() const { return directory_.file("tmp"); }
  std::unique_ptr<Spool> spool(int level = 0) {
    auto made = Spool::create(directory_.file("").string(), random_, memory_, level);
    EXPECT_TRUE(made.has_value());
    return std::move(*made);
  }
  static std::string replayed(Spool& spool) {
    std::string all;
    EXPECT_TRUE(spool
                    .replay([&](std::span<const std::byte> piece) {
                      all.append(reinterpret_cast<const char*>(piece.data()), piece.size());
                      return true;
                    })
                    .has_value());
    return all;
  }
  static std::string hash_of(std::string_view text) {
    return to_hex(Sha256Hasher().hash(std::as_bytes(std::span(text))));
  }

  test::TemporaryDirectory directory_;
  netml::testing::SeededRandom random_;
  MemoryBudget memory_{{4 << 20, "a test"}};
};

TEST_F(SpoolTest, LetsNoMoreWaitThanThereIsMemoryFor) {
  const auto written = spool();
  std::string all;
  for (int i = 0; i < 300; ++i) {
    const std::string piece(100'000, static_cast<char>('a' + i % 26));
    ASSERT_TRUE(written->write(piece));
    all += piece;
    const MemoryBudget::Report report = memory_.report();
    ASSERT_GE(report.used, 1U << 20);
    ASSERT_LE(report.used, report.limit.bytes);
  }
  const auto file = written->finish();
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(to_hex(file->hash), hash_of(all));
}

TEST_F(SpoolTest, AbandonedAtAnyMomentLeavesNothing) {
  for (const std::size_t pieces : {0U, 1U, 50U}) {
    {
      const auto abandoned = spool();
      for (std::size_t i = 0; i < pieces; ++i)
        ASSERT_TRUE(abandoned->write(std::string(100'000, 'x')));
      EXPECT_FALSE(fs::is_empty(tmp()));
    }
    EXPECT_TRUE(fs::is_empty(tmp())) << pieces;
    {
      EXPECT_TRUE(spool()->finish().has_value());
    }
    EXPECT_TRUE(fs::is_empty(tmp())) << "finished, but not kept";
  }
}

TEST_F(SpoolTest, KeepsAllBytesInOrderWithTheirHash) {
  const auto kept = spool();
  std::string all;
  for (std::size_t i = 0; i < 400; ++i) {  // more than may wait at once
    const std::string piece(i * 300, static_cast<char>('a' + i % 26));
    ASSERT_TRUE(kept->write(piece));
    all += piece;
  }
  ASSERT_GT(all.size(), 16U << 20);
  EXPECT_TRUE(replayed(*kept) == all);
  ASSERT_TRUE(kept->write("the end"));
  all += "the end";
  const auto file = kept->finish();
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->bytes, all.size());
  EXPECT_EQ(to_hex(file->hash), hash_of(all));
  EXPECT_EQ(fs::file_size(tmp() / file->name), all.size());
  EXPECT_TRUE(replayed(*kept) == all) << "also afterwards";
}

TEST_F(SpoolTest, TakesAThreadForALargeFileOnly) {
  const std::ptrdiff_t before = netml::test::threads_here();
  const auto small = spool();
  ASSERT_TRUE(small->write(std::string(1000, 'x')));
  EXPECT_EQ(small->size(), 1000U);
  EXPECT_EQ(netml::test::threads_here(), before);
  EXPECT_EQ(to_hex(small->finish()->hash), hash_of(std::string(1000, 'x')));
  const auto large = spool();
  ASSERT_TRUE(large->write(std::string(3 << 20, 'x')));
  EXPECT_EQ(netml::test::threads_here(), before + 1);
}

TEST_F(SpoolTest, ReleasedIsLeftToItsNewOwner) {
  std::string name;
  {
    const auto released = spool();
    ASSERT_TRUE(released->write("kept"));
    name = released->finish()->name;
    released->release();
  }
  EXPECT_TRUE(fs::exists(tmp() / name));
}

TEST_F(SpoolTest, StopsAReplayWhenNoMoreIsWanted) {
  const auto large = spool();
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(large->write(std::string(100'000, 'x')));
  int pieces = 0;
  ASSERT_TRUE(large->replay([&](std::span<const std::byte>) { return ++pieces < 2; }).has_value());
  EXPECT_EQ(pieces, 2);
}

// ---- compressed ----

// About what maps are like: lines that differ a little.
std::string lines(std::size_t bytes) {
  std::string text;
  for (int i = 0; text.size() < bytes; ++i) text += "<node id=\"" + std::to_string(i) + "\"/>\n";
  return text;
}

TEST_F(SpoolTest, CompressesWhatGetsSmaller) {
  const auto written = spool(1);
  const std::string all = lines(5 << 20);
  for (std::string_view rest = all; !rest.empty();
       rest.remove_prefix(std::min<std::size_t>(rest.size(), 70'000)))
    ASSERT_TRUE(written->write(rest.substr(0, 70'000)));
  EXPECT_TRUE(replayed(*written) == all);
  const auto file = written->finish();
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->how, wal::StoredAs::compressed);
  EXPECT_EQ(file->bytes, all.size());
  EXPECT_EQ(to_hex(file->hash), hash_of(all)) << "of what it holds";
  EXPECT_LT(fs::file_size(tmp() / file->name), all.size() / 2);
  EXPECT_TRUE(replayed(*written) == all) << "also afterwards";
  const auto storage = wal::PosixStorage::open_path(tmp().string()).value();
  const auto opened = wal::open_packed(storage->open(file->name, wal::OpenMode::read).value());
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  EXPECT_EQ((*opened)->size().value(), all.size());
}

TEST_F(SpoolTest, WritesWhatDoesNotGetSmallerOrIsSmallAsItIs) {
  std::string noise(200'000, '\0');
  random_.fill(std::as_writable_bytes(std::span(noise)));
  for (const std::string& all : {noise, lines(1000)}) {
    const auto written = spool(1);
    ASSERT_TRUE(written->write(all));
    const auto file = written->finish();
    ASSERT_TRUE(file.has_value());
    EXPECT_EQ(file->how, wal::StoredAs::itself);
    EXPECT_EQ(fs::file_size(tmp() / file->name), all.size());
    EXPECT_EQ(to_hex(file->hash), hash_of(all));
  }
}

TEST_F(SpoolTest, CompressedIsReadHereAndThereWhileItGrows) {
  const auto made = spool(1);
  std::string all;
  for (const std::size_t bytes : {10'000U, 3'000'000U, 100U}) {
    const std::string piece = lines(bytes);
    ASSERT_TRUE(made->write(piece));
    all += piece;
    ASSERT_EQ(made->size(), all.size());
    std::string part(5000, '\0');
    const std::size_t at = all.size() / 2;
    ASSERT_TRUE(made->read(at, std::as_writable_bytes(std::span(part))).has_value());
    EXPECT_EQ(part, all.substr(at, part.size()));
    EXPECT_FALSE(made->read(all.size() - 1, std::as_writable_bytes(std::span(part))).has_value())
        << "beyond the end";
  }
  EXPECT_TRUE(replayed(*made) == all);
  EXPECT_EQ(to_hex(made->finish()->hash), hash_of(all));
}

TEST_F(SpoolTest, WithoutAPlaceToWriteIsAnError) {
  fs::remove(tmp());
  EXPECT_EQ(Spool::create(directory_.file("").string(), random_, memory_).error().code,
            Errc::io_error);
}

// What could not be written is not there, however often it is asked for.
TEST_F(SpoolTest, ThatFailedOnceHasFailed) {
  const auto made = spool();
  ASSERT_TRUE(made->write("longer than the disk"));
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit little{4, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &little), 0);
  EXPECT_FALSE(made->finish().has_value());
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_FALSE(made->finish().has_value());
}

TEST_F(SpoolTest, IsReadHereAndThereWhileItGrows) {
  const auto made = spool();
  const std::string text = "0123456789";
  ASSERT_TRUE(made->write(text));
  EXPECT_EQ(made->size(), text.size());
  std::array<std::byte, 4> part{};
  ASSERT_TRUE(made->read(3, part).has_value());
  EXPECT_EQ(std::memcmp(part.data(), "3456", part.size()), 0);
  ASSERT_TRUE(made->write("ab"));
  EXPECT_EQ(made->size(), 12U);
  ASSERT_TRUE(made->read(8, part).has_value());
  EXPECT_EQ(std::memcmp(part.data(), "89ab", part.size()), 0);
  EXPECT_FALSE(made->read(9, part).has_value()) << "beyond the end";
}

}  // namespace
}  // namespace netml::admin
