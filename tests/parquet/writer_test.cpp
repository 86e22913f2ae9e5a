// What the bytes of Parquet files are. That others read them is tested by three readers
// (compare.mjs).
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "codecs/parquet/detail/compact_protocol.hpp"
#include "codecs/parquet/parquet_writer.hpp"
#include "engine/base/sha256.hpp"

namespace netml::codecs {
namespace {

using parquet::Bits;
using parquet::CompactWriter;

std::string hex(std::string_view bytes) {
  return to_hex(std::as_bytes(std::span(bytes)));
}

std::string file_of(ParquetWriter& writer) {
  EXPECT_TRUE(writer.finish().has_value());
  return writer.take();
}

TEST(CompactProtocol, WritesIntegersAsZigzagVarints) {
  std::string out;
  CompactWriter writer(out);
  for (const std::int64_t value : {0L, -1L, 1L, 63L, 64L, -65L}) writer.integer(value);
  EXPECT_EQ(hex(out), "0001027e80018101");
  out.clear();
  writer.integer(std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(hex(out), "ffffffffffffffffff01");
}

TEST(CompactProtocol, NumbersFieldsByTheirDistanceInEachStructure) {
  std::string out;
  CompactWriter writer(out);
  writer.structure([&] {
    writer.i32(1, 1);
    writer.structure(5, [&] { writer.truth(2, false); });
    writer.text(6, "a");
  });
  EXPECT_EQ(hex(out),
            "1502"
            "4c"
            "22"
            "00"
            "180161"
            "00");
}

TEST(CompactProtocol, WritesTheSizeOfLongListsBehindTheType) {
  std::string out;
  CompactWriter writer(out);
  writer.list(1, CompactWriter::Type::i32, 14);
  writer.list(2, CompactWriter::Type::i32, 15);
  EXPECT_EQ(hex(out),
            "19e5"
            "19f50f");
}

TEST(ParquetBits, AreEightAByteTheLowestFirst) {
  Bits bits;
  for (const bool bit : {true, false, false, true, false, false, false, false, true}) bits.add(bit);
  EXPECT_EQ(hex(bits.bytes()), "0901");
  EXPECT_EQ(bits.count_set(), 3U);
}

// Number, footer and its length; the footer has a schema of one column, and no row group.
TEST(ParquetWriter, WritesATableWithoutRowsAsItsSchema) {
  ParquetWriter writer({{"n", ParquetType::integer, ParquetShape::optional}}, {{"k", "v"}});
  EXPECT_EQ(hex(file_of(writer)),
            "50415231"
            "1504"  // version 2
            "192c"
            "4806736368656d61150200"  // the root, with one member
            "15042502"
            "18016e"
            "00"    // int64, optional, "n"
            "1600"  // no rows
            "190c"  // no row groups
            "191c"
            "18016b"
            "180176"
            "00"  // the note
            "18056e65746d6c"
            "00"  // "netml"
            "2c000000"
            "50415231");
}

TEST(ParquetWriter, GivesEqualBytesForEqualRows) {
  const auto make = [] {
    ParquetWriter writer({{"t", ParquetType::text}});
    for (int i = 0; i < 1000; ++i) {
      writer.columns()[0].add(std::string_view("text"));
      EXPECT_TRUE(writer.end_row().has_value());
    }
    return file_of(writer);
  };
  EXPECT_EQ(make(), make());
}

TEST(ParquetWriter, WritesARowGroupWhenItHasItsRows) {
  ParquetWriter writer({{"n", ParquetType::integer}});
  static_cast<void>(writer.take());  // what every file begins with
  for (std::size_t row = 1; row <= ParquetWriter::kGroupRows; ++row) {
    writer.columns()[0].add(std::int64_t{1});
    ASSERT_TRUE(writer.end_row().has_value());
    ASSERT_EQ(writer.take().empty(), row < ParquetWriter::kGroupRows) << row;
  }
}

// One element may have 2 MiB of texts.
TEST(ParquetWriter, HoldsNoMoreBytesThanARowGroupAndARowHave) {
  for (const std::size_t row_bytes : {ParquetWriter::kGroupBytes / 1000, std::size_t{2} << 20}) {
    ParquetWriter writer({{"t", ParquetType::text}, {"l", ParquetType::text, ParquetShape::list}});
    static_cast<void>(writer.take());
    const std::string text(row_bytes / 2, 'x');
    std::size_t groups = 0;
    for (std::size_t bytes = 0; bytes < 4 * ParquetWriter::kGroupBytes; bytes += row_bytes) {
      writer.columns()[0].add(std::string_view(text));
      writer.columns()[1].begin_list();
      writer.columns()[1].add(std::string_view(text));
      writer.columns()[1].end_list();
      ASSERT_TRUE(writer.end_row().has_value());
      ASSERT_LT(writer.columns()[0].bytes() + writer.columns()[1].bytes(),
                ParquetWriter::kGroupBytes);
      ASSERT_EQ(writer.has_made(), writer.columns()[0].rows() == 0);
      groups += writer.take().empty() ? 0 : 1;
    }
    EXPECT_GE(groups, 3U) << row_bytes;
  }
}

TEST(ParquetValues, HaveAReplacementForEachByteThatIsNoUtf8) {
  ParquetValues values({"t", ParquetType::text});
  values.add(std::string_view("a\xffz\xe2\x98"));
  const std::string_view expected = "a\ufffdz\ufffd\ufffd";
  EXPECT_EQ(values.leaves()[0].plain.substr(4), expected);
  EXPECT_EQ(static_cast<std::size_t>(values.leaves()[0].plain[0]), expected.size());
}

}  // namespace
}  // namespace netml::codecs
