// Files of other formats. All that is in one is carried or lost, and what was read is written and
// read again: without loss where the format holds all that a map has.
#include <string>
#include <vector>

#include "tests/codecs/formats/format_text.hpp"
#include "tests/codecs/netml_text.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace netml::codecs::test {
namespace {

using fuzz::between_bars;
using fuzz::promise;
using fuzz::Target;

// Whether all that a map has comes back from a file of the format.
enum class Holds { all, some };

void check_way_back(std::string_view format, const engine::Document& document, Holds holds) {
  const engine::State map = imported(document);
  if (map.graph.mains().empty()) return;
  const auto written = find_format(format)->write(map.graph, map.graph.mains().front());
  promise(written.has_value(), "what was read can be written");
  const ReadResult again = read_text(format, written->bytes);
  promise(again.has_value(), "what was written can be read");
  if (holds == Holds::some) return;
  promise(again->losses.lost() == 0, "what was written is read without loss");
  promise(says_the_same(*again, map), "a map is the same after it was written and read");
}

void read_file(std::string_view format, std::string_view input, Holds holds) {
  const ReadResult read = read_text(format, input);
  promise(read || (read.error().count > 0 && !read.error().first.empty()),
          "what is refused has an error");
  promise(same(read, read_text(format, input)), "a file reads the same each time");
  if (read && find_format(format)->write != nullptr) check_way_back(format, *read, holds);
}

Target target(std::string name, Holds holds, std::vector<std::string> samples,
              std::string_view words) {
  const auto run = [name, holds](std::string_view input) { read_file(name, input, holds); };
  return {name, std::move(samples), between_bars(words), run};
}

std::vector<Target> targets() {
  return {
      target(
          "graphml", Holds::all,
          {R"(<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="l" attr.name="label"/>)"
           R"(<key id="y" attr.name="lat"/><key id="x" attr.name="lon"><default>5</default></key>)"
           R"(<graph id="G" edgedefault="undirected"><node id="a"><data key="l">A</data>)"
           R"(<data key="y">50</data></node><node id="b"><port name="p"/></node>)"
           R"(<edge id="e" source="a" target="b" directed="true"/></graph></graphml>)"},
          R"(<node id="c"/>|<edge source="b" target="a"/>|<data key="l">B</data>|</node>)"
          R"(|<graph id="institutions">|<graph id="topologies">|</graph>|</graphml>)"
          R"(|<key id="o" attr.name="owner"/>|<data key="o">O</data>|<data key="l">)"
          R"(|</data>|<default>|</default>|<x y="z">|</x>|&#9;|identifier|topology|label)"
          R"(|parent|owner|version|id="a"|id="b"|2024-01-01T00:00:00Z|999|<graph>|<desc>)"),
  };
}

}  // namespace
}  // namespace netml::codecs::test

int main(int argc, char** argv) {
  return netml::fuzz::run_program(argc, argv, netml::codecs::test::targets());
}
