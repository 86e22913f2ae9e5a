// Goal: a field of a record that a later program wrote is refused, and never passed by (rule C3).
#include <capnp/message.h>
#include <gtest/gtest.h>

#include "tests/support/transaction_builder.hpp"
#include "wal/format/record_codec.hpp"

namespace netml::wal::test {
namespace {

constexpr std::uint16_t kUnknownField = 31;

TEST(FurtherFields, OfALaterVersionAreRefusedInAnUpdate_C3) {
  ::capnp::MallocMessageBuilder message;
  auto part = message.initRoot<schema::RecordPart>();
  part.setFields(schema::FIELD_NAME);
  ASSERT_TRUE(read_field_bits(part.asReader()));
  EXPECT_EQ(*read_field_bits(part.asReader()), schema::FIELD_NAME);
  part.setFurtherFields(1U << (kUnknownField - 16));
  const auto bits = read_field_bits(part.asReader());
  ASSERT_FALSE(bits);
  EXPECT_EQ(bits.error().code, Errc::newer_version);
}

TEST(FurtherFields, OfALaterVersionAreRefusedInARecordThatIsCreated_C3) {
  ::capnp::MallocMessageBuilder message;
  auto texts = message.initRoot<schema::Effects>().initTexts(1);
  texts[0].setRecord(1);
  texts[0].setField(kUnknownField);
  TextReader reader(texts.asReader());
  EXPECT_TRUE(reader.of(0)->empty());
  const auto refused = reader.of(1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::newer_version);
}

TEST(FurtherFields, ThatBelongToNoRecordAreDamage) {
  ::capnp::MallocMessageBuilder message;
  auto texts = message.initRoot<schema::Effects>().initTexts(1);
  texts[0].setRecord(5);
  TextReader reader(texts.asReader());
  EXPECT_TRUE(reader.of(0)->empty());
  EXPECT_EQ(reader.finish().error().code, Errc::corruption);
}

}  // namespace
}  // namespace netml::wal::test
