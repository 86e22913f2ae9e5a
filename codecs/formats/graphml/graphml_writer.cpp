#include "codecs/formats/graphml/graphml_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <charconv>
#include <string_view>

#include "codecs/document/id_key.hpp"
#include "codecs/document/text_buffer.hpp"
#include "codecs/document/xml_text.hpp"
#include "codecs/formats/draft/field_names.hpp"
#include "codecs/formats/draft/map_fields.hpp"
#include "codecs/formats/draft/map_outline.hpp"
#include "codecs/formats/graphml/graphml_fields.hpp"

namespace netml::codecs {

namespace {

using engine::Graph;

constexpr std::string_view kHead =
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
    "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" "
    "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
    "xsi:schemaLocation=\"http://graphml.graphdrawing.org/xmlns "
    "http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd\">\n";

constexpr std::array<Target, 13> kTargets{
    Target::identifier, Target::name,     Target::short_name, Target::version,  Target::start,
    Target::end,        Target::latitude, Target::longitude,  Target::altitude, Target::unlocode,
    Target::address,    Target::owner,    Target::topology};

constexpr FieldNames kNames{kGraphmlFields, {"node.", "topology."}};

// Whether the table has something else for a property of that name, whatever has it.
bool is_taken(std::string_view name) {
  return name.empty() || name.starts_with(kPropertyPrefix) ||
         name.find('@') != std::string_view::npos || is_field(kGraphmlFields, name);
}

class Writer {
 public:
  Writer(const Graph& graph, const MapOutline& outline, engine::LossList& losses)
      : graph_(graph), outline_(outline), losses_(losses) {}

  std::string write() {
    out_.append(kHead);
    declare_keys();
    out_.append("<graph id=\"map\" edgedefault=\"undirected\">\n");
    for_each_field(graph_, outline_, outline_.topologies.front(), instants_, put_value());
    for (std::size_t i = 0; i < outline_.nodes.size(); ++i)
      element("<node id=\"n", i, outline_.nodes[i], "</node>\n");
    for (std::size_t i = 0; i < outline_.links.size(); ++i) link(i);
    out_.append("</graph>\n");
    institutions();
    topologies();
    out_.append("</graphml>\n");
    return std::string(out_.view());
  }

 private:
  // ---- keys ----

  void declare_keys() {
    for (const Target target : kTargets) declare(kNames[target], is_number(target));
    declare(kNames[Target::parent], false);
    const auto properties_of = [&](RecordId record) {
      graph_.attributes(record).for_each_property(
          [&](const engine::Property& property) { declare_property(property.name); });
    };
    for (const RecordId topology : outline_.topologies) properties_of(topology);
    for (const auto& element : outline_.institutions) properties_of(element.record);
    for (const auto& element : outline_.nodes) properties_of(element.record);
    for (const auto& element : outline_.links) properties_of(element.record);
    if (has_copies()) declare_property(engine::kFromTopology);
  }

  bool has_copies() const {
    const auto is_copy = [](const OutlinedElement& element) { return element.copy; };
    return std::ranges::any_of(outline_.nodes, is_copy) ||
           std::ranges::any_of(outline_.links, is_copy) ||
           std::ranges::any_of(outline_.institutions, is_copy);
  }

  void declare(std::string_view name, bool number) {
    out_.append("<key id=\"");
    out_.append(name);
    out_.append("\" for=\"all\" attr.name=\"");
    out_.append(name);
    out_.append(number ? std::string_view("\" attr.type=\"double\"/>\n")
                       : std::string_view("\" attr.type=\"string\"/>\n"));
  }

  void declare_property(std::string_view name) {
    const auto [key, added] = properties_.try_emplace(IdKey(name), properties_.size());
    if (!added) return;
    const std::string spelled =
        is_taken(name) ? fmt::format("{}{}", kPropertyPrefix, name) : std::string(name);
    out_.append(fmt::format("<key id=\"p{}\" for=\"all\" attr.name=", key->second));
    out_.wrote(put_quoted(out_.room(quoted_bytes_max(spelled.size())), spelled));
    out_.append(" attr.type=\"string\"/>\n");
  }

  // ---- values ----

  template <std::size_t Size>
  void number(const char (&before)[Size], std::size_t number) {
    constexpr std::size_t kDigitsMax = 20;
    char* at = put(out_.room(Size + kDigitsMax), before);
    out_.wrote(std::to_chars(at, at + kDigitsMax, number).ptr);
  }

  void end_data(std::string_view value) {
    char* at = put_escaped(put(out_.room(kEscapedBytesMax * value.size() + 16), "\">"), value);
    out_.wrote(put(at, "</data>"));
    losses_.carry();
  }

  void data(Target target, std::string_view value) {
    out_.append("<data key=\"");
    out_.append(kNames[target]);
    end_data(value);
  }

  void property(std::string_view name, std::string_view value) {
    number("<data key=\"p", properties_.at(IdKey(name)));
    end_data(value);
  }

  struct PutValue {
    Writer& writer;
    void operator()(Target target, std::string_view name, std::string_view value) const {
      if (target == Target::property)
        writer.property(name, value);
      else
        writer.data(target, value);
    }
  };
  PutValue put_value() { return {*this}; }

  // ---- elements ----

  template <std::size_t Size>
  void element(const char (&tag)[Size], std::size_t i, const OutlinedElement& element,
               std::string_view end) {
    number(tag, i);
    out_.append("\">");
    for_each_field(graph_, outline_, element, instants_, put_value());
    out_.append(end);
  }

  void link(std::size_t i) {
    const OutlinedLink& link = outline_.links[i];
    number("<edge source=\"n", link.ends[0]);
    number("\" target=\"n", link.ends[1]);
    losses_.carry(2);
    element("\" id=\"e", i, link, "</edge>\n");
  }

  void institutions() {
    if (outline_.institutions.empty()) return;
    out_.append("<graph id=\"institutions\" edgedefault=\"undirected\">\n");
    for (std::size_t i = 0; i < outline_.institutions.size(); ++i)
      element("<node id=\"i", i, outline_.institutions[i], "</node>\n");
    out_.append("</graph>\n");
  }

  void topologies() {
    if (outline_.topologies.size() == 1) return;
    out_.append("<graph id=\"topologies\" edgedefault=\"undirected\">\n");
    for (std::size_t i = 1; i < outline_.topologies.size(); ++i) {
      const RecordId topology = outline_.topologies[i];
      number("<node id=\"t", i);
      out_.append("\">");
      for_each_field(graph_, outline_, topology, instants_, put_value());
      out_.append("</node>\n");
    }
    out_.append("</graph>\n");
  }

  const Graph& graph_;
  const MapOutline& outline_;
  engine::LossList& losses_;
  TextBuffer out_;
  InstantText instants_;
  boost::unordered_flat_map<IdKey, std::size_t, IdKeyHash> properties_;  // numbers of their keys
};

}  // namespace

Result<WrittenMap> write_graphml(const Graph& graph, RecordId topology) {
  return written_by<Writer>(graph, topology);
}

}  // namespace netml::codecs
