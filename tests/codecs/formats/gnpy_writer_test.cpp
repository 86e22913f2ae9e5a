// Maps to networks of GNPy: what is written, and what is listed as lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/codecs/formats/format_text.hpp"

namespace netml::codecs {
namespace {

using test::imported;
using test::read_text;
using testing::HasSubstr;

WrittenFile written(const engine::Document& document) {
  const engine::State state = imported(document);
  const auto file = find_format("gnpy")->write(state.graph, state.graph.mains().front());
  EXPECT_TRUE(file.has_value());
  return file ? *file : WrittenFile();
}

WrittenFile written(std::string_view format, std::string_view text) {
  const ReadResult read = read_text(format, text);
  EXPECT_TRUE(read.has_value()) << read.error().first.at(0).text();
  return read ? written(*read) : WrittenFile();
}

constexpr std::string_view kNetwork = R"({"network_name":"n","elements":[
{"uid":"r","type":"Roadm","metadata":{"location":{"city":"R","latitude":1.5,"longitude":2}},
 "params":{"restrictions":{"list":[]}},"operational":{"x":null}},
{"uid":"t","type":"Transceiver"},
{"uid":"f","type":"RamanFiber","type_variety":"SSMF",
 "params":{"length":80.5,"length_units":"km","loss_coef":0.2},"operational":{"pumps":[1]}}],
"connections":[{"from_node":"t","to_node":"r"},{"from_node":"r","to_node":"f"},
{"from_node":"f","to_node":"t"}]})";

TEST(GnpyWriter, WritesBackANetworkThatItRead) {
  const ReadResult read = read_text("gnpy", kNetwork);
  ASSERT_TRUE(read.has_value());
  const WrittenFile file = written(*read);
  EXPECT_THAT(file.bytes, HasSubstr(R"({"uid":"f","type":"RamanFiber","type_variety":"SSMF",)"
                                    R"("params":{"length":80.5,"length_units":"km",)"
                                    R"("loss_coef":0.2},"operational":{"pumps":[1]}})"));
  const ReadResult again = read_text("gnpy", file.bytes);
  ASSERT_TRUE(again.has_value()) << again.error().first.at(0).text();
  EXPECT_TRUE(test::says_the_same(*again, imported(*read))) << file.bytes;
}

constexpr std::string_view kGraph = R"(<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="l" attr.name="label"/><key id="y" attr.name="latitude"/><key id="x" attr.name="longitude"/>
<key id="m" attr.name="length"/><key id="c" attr.name="colour"/><graph id="g">
<node id="a"><data key="l">A</data><data key="y">1.5</data><data key="x">2</data>
<data key="c">red</data></node><node id="b"><data key="l">B</data></node>
<edge source="a" target="b"><data key="m">7.5</data></edge>
<edge source="b" target="a"><data key="l">B - A</data><data key="m">long</data></edge>
</graph></graphml>)";

TEST(GnpyWriter, MakesAFibreOfEachDirectionOfALink) {
  const std::string text = written("graphml", kGraph).bytes;
  EXPECT_THAT(text, HasSubstr(R"({"uid":"A","type":"Roadm","metadata":{"location":)"
                              R"({"latitude":1.5,"longitude":2.0}}})"));
  EXPECT_THAT(text, HasSubstr(R"({"uid":"A - B","type":"Fiber","params":{"length":7.5}})"));
  EXPECT_THAT(text, HasSubstr(R"({"uid":"A - B back","type":"Fiber","params":{"length":7.5}})"));
  EXPECT_THAT(text, HasSubstr(R"({"uid":"B - A","type":"Fiber"})")) << "no length is made up";
  EXPECT_TRUE(read_text("gnpy", text).has_value());
}

TEST(GnpyWriter, ListsWhatGnpyDoesNotKnow) {
  const engine::LossList losses = written("graphml", kGraph).losses;
  EXPECT_THAT(losses.texts(), testing::Contains("1 x property colour: GNPy knows nothing of that"));
  EXPECT_THAT(losses.texts(), testing::Contains("5 x identifier: GNPy knows nothing of that"));
  EXPECT_THAT(losses.texts(), testing::Contains("1 x property length: GNPy knows nothing of that"));
}

}  // namespace
}  // namespace netml::codecs
