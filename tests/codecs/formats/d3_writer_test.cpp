// A topology as node-link JSON, by way of the table of formats.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codecs/formats/file_format.hpp"
#include "tests/support/graph_builder.hpp"

namespace netml::codecs {
namespace {

TEST(D3Writer, WritesNodesAndTheLinksBetweenThem) {
  engine::test::GraphBuilder builder;
  const RecordId t = builder.topology("T", {}, RecordId{2}, true);
  const RecordId i = builder.institution("i", {t});
  const RecordId a = builder.node("a \"1\"", {t}, {i});
  const RecordId b = builder.node("b", {t}, {i});
  builder.link("ab", {t}, {i}, a, b);
  const auto written = find_format("d3")->write(builder.build(), t);
  ASSERT_TRUE(written.has_value());
  EXPECT_EQ(
      written->bytes,
      R"({"directed":false,"multigraph":true,"graph":{"identifier":"T","name":"T","owners":["i"]},
"nodes":[
{"id":"n0","identifier":"a \"1\"","name":"a \"1\"","owners":["i"],"topologies":["T"]},
{"id":"n1","identifier":"b","name":"b","owners":["i"],"topologies":["T"]}],
"links":[
)"
      R"({"source":"n0","target":"n1","key":0,"identifier":"ab","name":"ab","owners":["i"],)"
      R"("topologies":["T"]}],
"institutions":[
{"identifier":"i","name":"i","topologies":["T"]}],
"topologies":[]}
)");
  EXPECT_EQ(written->losses.present(), 20U);
  EXPECT_THAT(written->omitted, testing::IsEmpty());
}

}  // namespace
}  // namespace netml::codecs
