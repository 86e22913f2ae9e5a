// Goal: pieces are stored as the payload codec says, and what is damaged there is reported.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstring>

#include "tests/wal/postgres/postgres_log_of_test.hpp"
#include "wal/postgres/detail/payload.hpp"

namespace netml::wal::test {
namespace {

using postgres::Payload;
using postgres::PayloadCodec;

std::vector<std::byte> alike(std::size_t size) {
  return std::vector<std::byte>(size, std::byte{'a'});
}

std::vector<std::byte> mixed_bytes(std::size_t size) {
  std::vector<std::byte> bytes(size);
  std::uint32_t state = 3;
  for (std::byte& each : bytes) {
    state = state * 1664525U + 1013904223U;
    each = static_cast<std::byte>(state >> 24U);
  }
  return bytes;
}

TEST(PayloadOfPostgres, IsCompressedWhereThatTakesAFifthOff) {
  PayloadCodec codec;
  for (const auto& [bytes, compressed] :
       {std::pair(alike(1000), true), std::pair(mixed_bytes(1000), false),
        std::pair(alike(1), false), std::pair(alike(0), false),
        std::pair(alike(kSharedPieceBytesMax), true)}) {
    const auto stored = codec.pack(bytes);
    ASSERT_TRUE(stored);
    EXPECT_EQ(stored->compressed, compressed) << bytes.size();
    const auto back = codec.unpack(*stored, bytes.size());
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_TRUE(*back == bytes);
  }
}

TEST(PayloadOfPostgres, IsDamagedWhereItSaysAnythingElse) {
  PayloadCodec codec;
  const std::vector<std::byte> bytes = alike(1000);
  const auto made = codec.pack(bytes);
  ASSERT_TRUE(made);
  std::vector<std::byte> stored(made->bytes.begin(), made->bytes.end());
  EXPECT_TRUE(codec.unpack({true, stored}, 1000));
  const auto code = [&](const Payload& payload, std::uint64_t size) {
    const auto out = codec.unpack(payload, size);
    return out ? Errc::internal : out.error().code;
  };
  EXPECT_EQ(code({true, stored}, 999), Errc::corruption);
  EXPECT_EQ(code({true, stored}, kSharedPieceBytesMax + 1), Errc::corruption);
  EXPECT_EQ(code({false, stored}, 1000), Errc::corruption);
  for (std::byte& each : stored) {
    each ^= std::byte{0xff};
    EXPECT_EQ(code({true, stored}, 1000), Errc::corruption);
    each ^= std::byte{0xff};
  }
}

class StoringInPostgres : public PostgresTest {
 protected:
  void append(const std::vector<std::byte>& bytes) {
    const std::span<const std::byte> piece = bytes;
    const Appended done = log_->append_if({contract_start(), some_head(42), {}, {&piece, 1}});
    ASSERT_EQ(done.outcome, Outcome::done) << done.reason;
  }
  bool is_true(const std::string& question) {
    return tested_->servers().is_true(tested_->database(), question);
  }
  void change(const std::string& statement) {
    tested_->servers().sql(tested_->database(), {statement});
  }
  Errc reading() {
    const auto pieces = log_->read_from({contract_start().lsn}, UINT64_MAX);
    return pieces ? Errc::internal : pieces.error().code;
  }
};

TEST_F(StoringInPostgres, LeavesNothingToTheServerToCompress) {
  EXPECT_TRUE(
      is_true("SELECT count(*) = 2 FROM pg_attribute WHERE attname = 'data' AND attstorage = 'e'"
              " AND attrelid IN ('netml.frames'::regclass, 'netml.uploads'::regclass)"));
  append(alike(100'000));
  EXPECT_TRUE(is_true("SELECT compressed AND length(data) < 1000 FROM netml.frames"));
}

TEST_F(StoringInPostgres, TellsAPieceThatWasChanged) {
  append(alike(1000));
  change("UPDATE netml.frames SET data = set_byte(data, 9, get_byte(data, 9) # 1)");
  EXPECT_EQ(reading(), Errc::corruption);
}

TEST_F(StoringInPostgres, TellsAHashOfAnotherLength) {
  append(alike(10));
  change("UPDATE netml.frames SET after_chain = 'short'");
  EXPECT_EQ(reading(), Errc::corruption);
}

TEST_F(StoringInPostgres, CompressesNoFileTwice) {
  const SharedUpload compressed{Sha256{}, StoredAs::compressed, 1000};
  ASSERT_TRUE(log_->put_upload(compressed, 0, alike(1000)));
  EXPECT_TRUE(is_true("SELECT NOT compressed AND length(data) = 1000 FROM netml.uploads"));
}

// A statement has a time limit, so what has gathered for long goes by parts: else it never would.
TEST_F(StoringInPostgres, ForgetsALimitedPartAtOnce) {
  append(alike(10));
  const std::vector<std::byte> bytes = alike(10);
  const std::span<const std::byte> piece = bytes;
  ASSERT_EQ(log_->append_if({some_head(42), some_head(43), {}, {&piece, 1}}).outcome,
            Outcome::done);
  ASSERT_TRUE(log_->report({"alpha", "https://a.example", some_head(43), "1", {}}));
  change("UPDATE netml.frames SET bytes = 100000000 WHERE after_lsn = 42");
  const Result<bool> first = log_->forget(Lsn{43}, std::chrono::nanoseconds(0));
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_TRUE(*first);
  EXPECT_TRUE(is_true("SELECT min(after_lsn) = 43 FROM netml.frames"));
  const Result<bool> second = log_->forget(Lsn{43}, std::chrono::nanoseconds(0));
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_FALSE(*second);
  EXPECT_TRUE(is_true("SELECT count(*) = 0 FROM netml.frames"));
}

TEST_F(StoringInPostgres, TakesNamesThatAreTexts) {
  const Member bad{"a\xff", "https://a.example", contract_start(), "1", {}};
  const Status reported = log_->report(bad);
  ASSERT_FALSE(reported);
  EXPECT_EQ(reported.error().code, Errc::invalid_input);
  EXPECT_EQ(log_->take_lease("a\xff", Epoch{}, std::chrono::seconds(1)).outcome, Outcome::refused);
  EXPECT_TRUE(log_->remove_member("a\xff"));
  EXPECT_TRUE(log_->report({"\xc3\xa4' --", "https://a.example", contract_start(), "1", {}}));
  const auto members = log_->members();
  ASSERT_TRUE(members);
  EXPECT_EQ(members->front().name, "\xc3\xa4' --");
}

}  // namespace
}  // namespace netml::wal::test
