#include "codecs/formats/n2p/n2p_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "codecs/document/text_buffer.hpp"
#include "codecs/formats/draft/flat_fields.hpp"
#include "codecs/formats/n2p/n2p_fields.hpp"

namespace netml::codecs {

namespace {

using engine::Graph;

// Net2Plan numbers all elements together: the layer, then nodes, then links.
constexpr std::size_t kLayer = 1;
constexpr std::size_t kFirstNode = kLayer + 1;

class Writer {
 public:
  Writer(const Graph& graph, const MapOutline& outline, engine::LossList& losses)
      : outline_(outline), losses_(losses), fields_(graph, outline, kN2pFields, losses) {}

  std::string write() {
    const std::size_t first_link = kFirstNode + outline_.nodes.size();
    const auto root = fields_.of_root();
    out_.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<network description=\"\" name=");
    quoted(value_of(root, Target::name));
    out_.append(fmt::format(
        " currentDate=\"0\" currentPlotNodeLayout=\"\" cache_definedPlotNodeLayouts=\"\""
        " version=\"6\" nextElementId=\"{}\">\n",
        first_link + 2 * outline_.links.size()));
    attributes(root, {});
    for (std::size_t i = 0; i < outline_.nodes.size(); ++i) node(i);
    out_.append(
        fmt::format("<layer id=\"{}\" description=\"\" name=\"\" isDefaultLayer=\"true\""
                    " linkCapacityUnitsName=\"\" demandTrafficUnitsName=\"\">\n",
                    kLayer));
    for (std::size_t i = 0; i < outline_.links.size(); ++i) {
      const OutlinedLink& each = outline_.links[i];
      const std::size_t there = first_link + 2 * i;
      const auto fields = fields_.of(each);
      losses_.carry(2);
      link(there, there + 1, each.ends[0], each.ends[1], fields);
      link(there + 1, there, each.ends[1], each.ends[0], fields);
    }
    out_.append(
        "<sourceRouting>\n</sourceRouting>\n<hopByHopRouting>\n</hopByHopRouting>\n</layer>\n"
        "</network>\n");
    fields_.lose_others("a design of Net2Plan has nodes and links only");
    return std::string(out_.view());
  }

 private:
  void quoted(std::string_view value) {
    out_.wrote(put_quoted(out_.room(quoted_bytes_max(value.size())), value));
  }

  void attribute(std::string_view key, std::string_view value) {
    out_.append("<attribute key=");
    quoted(key);
    out_.append(" value=");
    quoted(value);
    out_.append("/>\n");
  }

  // All but those that the tag has.
  void attributes(std::span<const FlatField> fields, std::span<const Target> in_tag) {
    for (const FlatField& field : fields)
      if (field.target != Target::name && std::ranges::find(in_tag, field.target) == in_tag.end())
        attribute(field.name, field.value);
  }

  // Net2Plan demands a place: one that is not known is called so.
  void node(std::size_t i) {
    constexpr Target kPlace[] = {Target::longitude, Target::latitude};
    const auto fields = fields_.of(outline_.nodes[i]);
    const bool placed = !value_of(fields, Target::longitude).empty();
    const std::string_view x = placed ? value_of(fields, Target::longitude) : "0.0";
    const std::string_view y = placed ? value_of(fields, Target::latitude) : "0.0";
    out_.append(fmt::format("<node id=\"{}\" description=\"\" name=", kFirstNode + i));
    quoted(value_of(fields, Target::name));
    out_.append(
        fmt::format(" xCoord=\"{0}\" yCoord=\"{1}\" mapLayout2NodeXYPositionMap=\" {0} {1}\""
                    " population=\"0.0\" isUp=\"true\" layersWithIconsDefined=\"\">\n",
                    x, y));
    if (!placed) attribute("place", "unknown");
    attributes(fields, kPlace);
    out_.append("</node>\n");
  }

  // Nothing is known of capacities and lengths, which must be numbers.
  void link(std::size_t id, std::size_t back, std::uint32_t from, std::uint32_t to,
            std::span<const FlatField> fields) {
    out_.append(fmt::format("<link id=\"{}\" description=\"\" name=", id));
    quoted(value_of(fields, Target::name));
    out_.append(fmt::format(
        " originNodeId=\"{}\" destinationNodeId=\"{}\" capacity=\"0.0\" lengthInKm=\"0.0\""
        " bidirectionalPairId=\"{}\" propagationSpeedInKmPerSecond=\"200000.0\" isUp=\"true\""
        " monitoredOrForecastedTraffics=\"\" trafficPredictor=\"\">\n",
        kFirstNode + from, kFirstNode + to, back));
    attributes(fields, {});
    out_.append("</link>\n");
  }

  const MapOutline& outline_;
  engine::LossList& losses_;
  FlatFields fields_;
  TextBuffer out_;
};

}  // namespace

Result<WrittenMap> write_n2p(const Graph& graph, RecordId topology) {
  return written_by<Writer>(graph, topology);
}

}  // namespace netml::codecs
