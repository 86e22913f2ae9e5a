#include "codecs/netml/netml_writer.hpp"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <utility>
#include <vector>

#include "codecs/document/numbers.hpp"
#include "codecs/document/xml_text.hpp"
#include "codecs/netml/strict/netml_grammar.hpp"
#include "engine/graph/attributes.hpp"
#include "engine/graph/document.hpp"

namespace netml::codecs {

namespace {

using engine::Attributes;
using engine::ExportedElement;
using engine::Graph;
using engine::Micro;
using engine::Property;

bool is_set(const std::optional<Micro>& value) {
  return value && value->value != 0;
}

bool has_location(const Attributes& attributes) {
  const auto coordinates = attributes.coordinates();
  return (coordinates && *coordinates != engine::Coordinates{}) || is_set(attributes.altitude()) ||
         !attributes.unlocode().empty() || !attributes.address().empty();
}

// Writes the parts of one topology in the order of the schema.
class TopologyWriter {
 public:
  // `contents` are those of the topology, and outlive the writer.
  TopologyWriter(std::string& out, const Graph& graph, RecordId topology,
                 const engine::TopologyContents& contents)
      : out_(out), graph_(graph), topology_(topology), contents_(contents) {}

  // The start tag, and what the topology says of itself.
  void head(bool root) {
    const Attributes& attributes = graph_.attributes(topology_);
    start_tag("<grenml:Topology", attributes);
    if (root) {
      for (const auto& [name, value] :
           {std::pair(" xmlns:grenml", kNetmlNamespace), std::pair(" xmlns:nml", kNmlNamespace),
            std::pair(" xmlns:xsi", kXsiNamespace),
            std::pair(" xsi:schemaLocation", kSchemaLocation)}) {
        out_.append(name).append("=");
        append_quoted(out_, value);
      }
    }
    out_ += '>';
    text("<grenml:name>", attributes.name(), "</grenml:name>");
    text("<grenml:owner>", graph_.attributes(contents_.owner).id(), "</grenml:owner>");
    properties(attributes, {topology_, false});
  }

  // Its elements by number, in the order of the schema.
  void element(std::size_t number) {
    const std::size_t institutions = contents_.institutions.size();
    if (number < institutions) return institution(contents_.institutions[number]);
    number -= institutions;
    const std::size_t links = contents_.links.size();
    if (number < links) return link(contents_.links[number]);
    node(contents_.nodes[number - links]);
  }

 private:
  void start_tag(std::string_view tag, const Attributes& attributes) {
    out_.append(tag).append(" id=");
    append_quoted(out_, attributes.id());
    if (const auto version = attributes.version()) {
      out_ += " version=\"";
      append_instant(out_, *version);
      out_ += '"';
    }
  }

  void names(const Attributes& attributes) {
    text("<grenml:name>", attributes.name(), "</grenml:name>");
    if (!attributes.short_name().empty())
      text("<grenml:short-name>", attributes.short_name(), "</grenml:short-name>");
  }

  void text(std::string_view open, std::string_view content, std::string_view close) {
    out_ += open;
    append_escaped(out_, content);
    out_ += close;
  }

  void owners(RecordId element) {
    for (const std::string_view id : engine::exported_owners(graph_, element, contents_.owner))
      text("<grenml:owner>", id, "</grenml:owner>");
  }

  void lifetime(const Attributes& attributes) {
    const auto start = attributes.start();
    if (!start) return;  // no reader accepts an end without a start
    out_ += "<grenml:Lifetime><nml:start>";
    append_instant(out_, *start);
    out_ += "</nml:start>";
    if (const auto end = attributes.end()) {
      out_ += "<nml:end>";
      append_instant(out_, *end);
      out_ += "</nml:end>";
    }
    out_ += "</grenml:Lifetime>";
  }

  void location(const Attributes& attributes) {
    // The format forces a value where the position is unknown: 0.0.
    const auto coordinates = attributes.coordinates().value_or(engine::Coordinates{});
    out_ += "<grenml:Location><grenml:long>";
    append_shortest(out_, coordinates.longitude);
    out_ += "</grenml:long><grenml:lat>";
    append_shortest(out_, coordinates.latitude);
    out_ += "</grenml:lat>";
    if (const auto altitude = attributes.altitude()) {
      out_ += "<grenml:alt>";
      append_six_decimals(out_, *altitude);
      out_ += "</grenml:alt>";
    }
    if (!attributes.unlocode().empty())
      text("<grenml:unlocode>", attributes.unlocode(), "</grenml:unlocode>");
    if (!attributes.address().empty())
      text("<grenml:address>", attributes.address(), "</grenml:address>");
    out_ += "</grenml:Location>";
  }

  void further_texts(const Attributes& attributes) {
    const engine::AttributeFields fields = attributes.fields();
    engine::for_each_further_text([&](const auto& further) {
      const std::string_view value = fields.*further.member;
      if (value.empty()) return;
      const std::string_view name = rule_of(element_of(further.field)).name;
      out_.append("<grenml:").append(name).append(">");
      append_escaped(out_, value);
      out_.append("</grenml:").append(name).append(">");
    });
  }

  // A copy carries one mark, which takes in what an earlier mark of the record says.
  void properties(const Attributes& attributes, const ExportedElement& element) {
    if (attributes.has_further_texts()) further_texts(attributes);
    properties_.clear();
    attributes.for_each_property([&](const Property& property) {
      if (element.copy && property.name == engine::kFromTopology) return;
      properties_.push_back({0, property});
    });
    if (properties_.size() > 1) group_by_name();
    for (const RankedProperty& ranked : properties_) property(ranked.property);
    if (!element.copy) return;
    const std::string from = engine::from_topology_value(graph_, element.record);
    property({engine::kFromTopology, from});
  }

  void property(const Property& property) {
    out_ += "<grenml:Property name=";
    append_quoted(out_, property.name);
    out_ += '>';
    append_escaped(out_, property.value);
    out_ += "</grenml:Property>";
  }

  // Names in the order of their first appearance, all values of one name together.
  void group_by_name() {
    ranks_.clear();
    for (RankedProperty& ranked : properties_)
      ranked.rank = ranks_.try_emplace(ranked.property.name, ranks_.size()).first->second;
    if (!std::ranges::is_sorted(properties_, {}, &RankedProperty::rank))
      std::ranges::stable_sort(properties_, {}, &RankedProperty::rank);
  }

  void institution(const ExportedElement& element) {
    const engine::AttributesPtr built_in = element.record ? nullptr : engine::global_institution();
    const Attributes& attributes = built_in ? *built_in : graph_.attributes(element.record);
    start_tag("<grenml:Institution", attributes);
    out_ += '>';
    names(attributes);
    if (has_location(attributes)) location(attributes);
    properties(attributes, element);
    out_ += "</grenml:Institution>";
  }

  void link(const ExportedElement& element) {
    const Attributes& attributes = graph_.attributes(element.record);
    start_tag("<grenml:Link", attributes);
    out_ += '>';
    names(attributes);
    owners(element.record);
    lifetime(attributes);
    properties(attributes, element);
    for (const RecordId end : engine::exported_ends(graph_, element.record))
      text("<grenml:node>", graph_.attributes(end).id(), "</grenml:node>");
    out_ += "</grenml:Link>";
  }

  void node(const ExportedElement& element) {
    const Attributes& attributes = graph_.attributes(element.record);
    start_tag("<grenml:Node", attributes);
    out_ += '>';
    names(attributes);
    owners(element.record);
    lifetime(attributes);
    location(attributes);
    properties(attributes, element);
    out_ += "</grenml:Node>";
  }

  struct RankedProperty {
    std::size_t rank;  // of its name, by first appearance
    Property property;
  };

  std::string& out_;
  const Graph& graph_;
  const RecordId topology_;
  const engine::TopologyContents& contents_;
  std::vector<RankedProperty> properties_;
  boost::unordered_flat_map<std::string_view, std::size_t> ranks_;
};

}  // namespace

NetmlWriter::NetmlWriter(const Graph& graph, engine::ExportTree tree)
    : graph_(graph), tree_(std::move(tree)) {}

std::optional<NetmlWriter::Piece> NetmlWriter::next() {
  if (next_ == tree_.steps.size()) return std::nullopt;
  const auto [topology, depth] = tree_.steps[next_++];
  // What ends here: this topology and those around it, down to the parent of the next one.
  const std::uint32_t open_after = next_ == tree_.steps.size() ? 0 : tree_.steps[next_].depth;
  return Piece{topology, depth == 0, depth + 1 - std::min(depth + 1, open_after)};
}

bool NetmlWriter::write_part(const Piece& piece, std::string& out, std::size_t bytes_max) {
  const bool begins = !contents_;
  if (begins) {
    if (piece.root) out += "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
    contents_ = engine::topology_contents(graph_, piece.topology);
    elements_written_ = 0;
  }
  TopologyWriter writer(out, graph_, piece.topology, *contents_);
  if (begins) writer.head(piece.root);
  const std::size_t count =
      contents_->institutions.size() + contents_->links.size() + contents_->nodes.size();
  while (elements_written_ < count && out.size() < bytes_max) writer.element(elements_written_++);
  if (elements_written_ < count) return false;
  contents_.reset();
  for (std::uint32_t i = 0; i < piece.ends; ++i) out += "</grenml:Topology>";
  return true;
}

}  // namespace netml::codecs
