#include "codecs/formats/gexf/gexf_writer.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "codecs/document/text_buffer.hpp"
#include "codecs/formats/draft/flat_fields.hpp"
#include "codecs/formats/draft/map_fields.hpp"
#include "codecs/formats/gexf/gexf_fields.hpp"

namespace netml::codecs {

namespace {

using engine::Graph;

void append_attribute(TextBuffer& out, std::string_view name, std::string_view value) {
  out.append(name);
  out.append("=");
  out.wrote(put_quoted(out.room(quoted_bytes_max(value.size())), value));
}

// The attributes that nodes have, or edges: numbered as they come up, declared in front of all.
class Attributes {
 public:
  std::size_t number_of(const FlatField& field) {
    const auto [found, added] = numbers_.try_emplace(field.name, fields_.size());
    if (added) fields_.push_back({field.target, field.name, {}});
    return found->second;
  }

  void declare(TextBuffer& out, std::string_view of) const {
    if (fields_.empty()) return;
    out.append(fmt::format("<attributes class=\"{}\" mode=\"static\">\n", of));
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      out.append(fmt::format("<attribute id=\"{}\" ", i));
      append_attribute(out, "title", fields_[i].name);
      out.append(is_number(fields_[i].target) ? std::string_view(" type=\"double\"/>\n")
                                              : std::string_view(" type=\"string\"/>\n"));
    }
    out.append("</attributes>\n");
  }

 private:
  std::vector<FlatField> fields_;
  std::unordered_map<std::string, std::size_t> numbers_;
};

// `tag` has begun: its label, then its values.
void append_element(TextBuffer& out, std::string_view tag, std::span<const FlatField> fields,
                    Attributes& attributes) {
  append_attribute(out, " label", value_of(fields, Target::name));
  out.append("><attvalues>");
  for (const FlatField& field : fields) {
    if (field.target == Target::name) continue;
    out.append(fmt::format("<attvalue for=\"{}\" ", attributes.number_of(field)));
    append_attribute(out, "value", field.value);
    out.append("/>");
  }
  out.append(fmt::format("</attvalues></{}>\n", tag));
}

}  // namespace

Result<WrittenMap> write_gexf(const Graph& graph, RecordId topology) {
  WrittenMap file;
  NETML_TRY(const MapOutline outline, outline_of(graph, topology, file.losses));
  FlatFields fields(graph, outline, kGexfFields, file.losses);
  TextBuffer body;
  Attributes of_nodes;
  Attributes of_edges;
  body.append("<nodes>\n");
  for (std::size_t i = 0; i < outline.nodes.size(); ++i) {
    body.append(fmt::format("<node id=\"n{}\"", i));
    append_element(body, "node", fields.of(outline.nodes[i]), of_nodes);
  }
  body.append("</nodes>\n<edges>\n");
  for (std::size_t i = 0; i < outline.links.size(); ++i) {
    const OutlinedLink& link = outline.links[i];
    body.append(fmt::format("<edge id=\"e{}\" source=\"n{}\" target=\"n{}\"", i, link.ends[0],
                            link.ends[1]));
    file.losses.carry(2);
    append_element(body, "edge", fields.of(link), of_edges);
  }
  body.append("</edges>\n</graph>\n</gexf>\n");

  TextBuffer head;
  head.append(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<gexf xmlns=\"http://gexf.net/1.3\" version=\"1.3\">\n<meta><description>");
  const std::string_view name = graph.attributes(topology).name();
  head.wrote(put_escaped(head.room(kEscapedBytesMax * name.size()), name));
  if (!name.empty()) file.losses.carry();
  head.append("</description></meta>\n<graph defaultedgetype=\"undirected\" mode=\"static\">\n");
  of_nodes.declare(head, "node");
  of_edges.declare(head, "edge");
  fields.lose_root("a graph of GEXF has no attributes");
  fields.lose_others("a graph of GEXF has nodes and edges only");
  file.bytes.append(head.view()).append(body.view());
  return file;
}

}  // namespace netml::codecs
