#include "codecs/formats/dot/dot_writer.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include "codecs/formats/dot/dot_fields.hpp"
#include "codecs/formats/draft/flat_fields.hpp"

namespace netml::codecs {

namespace {

using engine::Graph;

// In quotes. A backslash would begin an escape: \N stands for the node's name.
void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

void append_attributes(std::string& out, std::span<const FlatField> fields) {
  const char* separator = " [";
  for (const FlatField& field : fields) {
    out += std::exchange(separator, ", ");
    append_quoted(out, field.name);
    out += '=';
    append_quoted(out, field.value);
  }
  out += "];\n";
}

}  // namespace

Result<WrittenMap> write_dot(const Graph& graph, RecordId topology) {
  WrittenMap file;
  std::string& out = file.bytes;
  NETML_TRY(const MapOutline outline, outline_of(graph, topology, file.losses));
  FlatFields fields(graph, outline, kDotFields, file.losses);
  out += "graph {\n  graph";
  append_attributes(out, fields.of_root());
  for (std::size_t i = 0; i < outline.nodes.size(); ++i) {
    fmt::format_to(std::back_inserter(out), "  n{}", i);
    append_attributes(out, fields.of(outline.nodes[i]));
  }
  for (const OutlinedLink& link : outline.links) {
    fmt::format_to(std::back_inserter(out), "  n{} -- n{}", link.ends[0], link.ends[1]);
    file.losses.carry(2);
    append_attributes(out, fields.of(link));
  }
  out += "}\n";
  fields.lose_others("a graph of Graphviz has nodes and links only");
  return file;
}

}  // namespace netml::codecs
