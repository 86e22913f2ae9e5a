#include "codecs/netml/netml_writer.hpp"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codecs/document/numbers.hpp"
#include "codecs/document/xml_text.hpp"
#include "codecs/netml/strict/netml_grammar.hpp"
#include "engine/graph/attributes.hpp"
#include "engine/graph/document.hpp"

namespace netml::codecs {

namespace {

using engine::AttributeFields;
using engine::Attributes;
using engine::ExportedElement;
using engine::Graph;
using engine::Micro;
using engine::Property;

bool is_set(const std::optional<Micro>& value) {
  return value && value->value != 0;
}

bool has_location(const AttributeFields& fields) {
  return (fields.coordinates && *fields.coordinates != engine::Coordinates{}) ||
         is_set(fields.altitude) || !fields.unlocode.empty() || !fields.address.empty();
}

}  // namespace

// Writes the parts of one topology in the order of the schema. What is the same for many elements
// is made once, and no element takes memory of its own.
class NetmlPieceWriter::Elements {
 public:
  explicit Elements(const Graph& graph) : graph_(graph) {}

  const Graph& graph() const { return graph_; }
  bool has_duplicates() {
    if (!has_duplicates_) has_duplicates_ = graph_.has_duplicates();
    return *has_duplicates_;
  }

  // What follows is of this topology. `contents` outlive that.
  void begin(RecordId topology, const engine::TopologyContents& contents) {
    topology_ = topology;
    contents_ = &contents;
    TextBuffer line;
    const std::string_view owner = graph_.attributes(contents.owner).id();
    text(line, "<grenml:owner>", owner, "</grenml:owner>");
    owner_line_ = line.view();
  }

  // The start tag, and what the topology says of itself.
  void head(TextBuffer& out, bool root) {
    const Attributes& attributes = graph_.attributes(topology_);
    const AttributeFields fields = attributes.fields();
    start_tag(out, "<grenml:Topology id=", fields);
    if (root) {
      for (const auto& [name, value] :
           {std::pair(" xmlns:grenml", kNetmlNamespace), std::pair(" xmlns:nml", kNmlNamespace),
            std::pair(" xmlns:xsi", kXsiNamespace),
            std::pair(" xsi:schemaLocation", kSchemaLocation)}) {
        out.append(std::string_view(name));
        out.append("=");
        out.wrote(put_quoted(out.room(quoted_bytes_max(value.size())), value));
      }
    }
    out.append(">");
    text(out, "<grenml:name>", fields.name, "</grenml:name>");
    out.append(std::string_view(owner_line_));
    properties(out, attributes, fields, {topology_, false});
  }

  // Its elements by number, in the order of the schema.
  void element(TextBuffer& out, std::size_t number) {
    const std::size_t institutions = contents_->institutions.size();
    if (number < institutions) return institution(out, contents_->institutions[number]);
    number -= institutions;
    const std::size_t links = contents_->links.size();
    if (number < links) return link(out, contents_->links[number]);
    node(out, contents_->nodes[number - links]);
  }

 private:
  template <std::size_t Open, std::size_t Close>
  static void text(TextBuffer& out, const char (&open)[Open], std::string_view content,
                   const char (&close)[Close]) {
    char* at = out.room(Open + kEscapedBytesMax * content.size() + Close);
    at = put_escaped(put(at, open), content);
    out.wrote(put(at, close));
  }

  // Without its end, as the root's has more.
  template <std::size_t Size>
  void start_tag(TextBuffer& out, const char (&tag)[Size], const AttributeFields& fields) {
    constexpr std::size_t kVersionBytesMax = 64;
    char* at = out.room(Size + quoted_bytes_max(fields.id.size()) + kVersionBytesMax);
    at = put_quoted(put(at, tag), fields.id);
    if (fields.version) {
      at = instants_.put(put(at, " version=\""), *fields.version);
      at = put(at, "\"");
    }
    out.wrote(at);
  }

  static void names(TextBuffer& out, const AttributeFields& fields) {
    text(out, "<grenml:name>", fields.name, "</grenml:name>");
    if (!fields.short_name.empty())
      text(out, "<grenml:short-name>", fields.short_name, "</grenml:short-name>");
  }

  void owners(TextBuffer& out, RecordId element) {
    const auto own = graph_.relations(element).owners();
    if (own.empty() || (own.size() == 1 && own.front() == contents_->owner))
      return out.append(std::string_view(owner_line_));
    engine::exported_owners(graph_, element, contents_->owner, owners_);
    for (const std::string_view id : owners_) text(out, "<grenml:owner>", id, "</grenml:owner>");
  }

  void lifetime(TextBuffer& out, const AttributeFields& fields) {
    if (!fields.start) return;  // no reader accepts an end without a start
    constexpr std::size_t kLifetimeBytesMax = 160;
    char* at = put(out.room(kLifetimeBytesMax), "<grenml:Lifetime><nml:start>");
    at = put(instants_.put(at, *fields.start), "</nml:start>");
    if (fields.end) {
      at = instants_.put(put(at, "<nml:end>"), *fields.end);
      at = put(at, "</nml:end>");
    }
    out.wrote(put(at, "</grenml:Lifetime>"));
  }

  void location(TextBuffer& out, const AttributeFields& fields) {
    // The format forces a value where the position is unknown: 0.0.
    const auto coordinates = fields.coordinates.value_or(engine::Coordinates{});
    constexpr std::size_t kMarkupBytesMax = 160;
    char* at = out.room(kMarkupBytesMax + 3 * kDecimalBytesMax);
    at = put_shortest(put(at, "<grenml:Location><grenml:long>"), coordinates.longitude);
    at = put_shortest(put(at, "</grenml:long><grenml:lat>"), coordinates.latitude);
    at = put(at, "</grenml:lat>");
    if (fields.altitude) {
      at = put_six_decimals(put(at, "<grenml:alt>"), *fields.altitude);
      at = put(at, "</grenml:alt>");
    }
    out.wrote(at);
    if (!fields.unlocode.empty())
      text(out, "<grenml:unlocode>", fields.unlocode, "</grenml:unlocode>");
    if (!fields.address.empty()) text(out, "<grenml:address>", fields.address, "</grenml:address>");
    out.append("</grenml:Location>");
  }

  static void further_texts(TextBuffer& out, const AttributeFields& fields) {
    engine::for_each_further_text([&](const auto& further) {
      const std::string_view value = fields.*further.member;
      if (value.empty()) return;
      const std::string_view name = rule_of(element_of(further.field)).name;
      out.append("<grenml:");
      out.append(name);
      text(out, ">", value, "</grenml:");
      out.append(name);
      out.append(">");
    });
  }

  // A copy carries one mark, which takes in what an earlier mark of the record says.
  void properties(TextBuffer& out, const Attributes& attributes, const AttributeFields& fields,
                  const ExportedElement& element) {
    if (attributes.has_further_texts()) further_texts(out, fields);
    properties_.clear();
    attributes.for_each_property([&](const Property& property) {
      if (element.copy && property.name == engine::kFromTopology) return;
      properties_.push_back({0, property});
    });
    if (properties_.size() > 1) group_by_name();
    for (const RankedProperty& ranked : properties_) property(out, ranked.property);
    if (!element.copy) return;
    const std::string from = engine::from_topology_value(graph_, element.record);
    property(out, {engine::kFromTopology, from});
  }

  static void property(TextBuffer& out, const Property& property) {
    constexpr std::size_t kMarkupBytesMax = 64;
    char* at = out.room(kMarkupBytesMax + quoted_bytes_max(property.name.size()) +
                        kEscapedBytesMax * property.value.size());
    at = put_quoted(put(at, "<grenml:Property name="), property.name);
    at = put_escaped(put(at, ">"), property.value);
    out.wrote(put(at, "</grenml:Property>"));
  }

  // Names in the order of their first appearance, all values of one name together.
  void group_by_name() {
    constexpr std::size_t kFew = 8;  // comparing them is quicker than a table
    if (properties_.size() <= kFew)
      rank_few();
    else
      rank_many();
    if (!std::ranges::is_sorted(properties_, {}, &RankedProperty::rank))
      std::ranges::stable_sort(properties_, {}, &RankedProperty::rank);
  }
  void rank_few() {
    for (std::size_t i = 0; i < properties_.size(); ++i) {
      std::size_t first = 0;
      while (properties_[first].property.name != properties_[i].property.name) ++first;
      properties_[i].rank = first;
    }
  }
  void rank_many() {
    ranks_.clear();
    for (RankedProperty& ranked : properties_)
      ranked.rank = ranks_.try_emplace(ranked.property.name, ranks_.size()).first->second;
  }

  void institution(TextBuffer& out, const ExportedElement& element) {
    const engine::AttributesPtr built_in = element.record ? nullptr : engine::global_institution();
    const Attributes& attributes = built_in ? *built_in : graph_.attributes(element.record);
    const AttributeFields fields = attributes.fields();
    start_tag(out, "<grenml:Institution id=", fields);
    out.append(">");
    names(out, fields);
    if (has_location(fields)) location(out, fields);
    properties(out, attributes, fields, element);
    out.append("</grenml:Institution>");
  }

  void link(TextBuffer& out, const ExportedElement& element) {
    const Attributes& attributes = graph_.attributes(element.record);
    const AttributeFields fields = attributes.fields();
    start_tag(out, "<grenml:Link id=", fields);
    out.append(">");
    names(out, fields);
    owners(out, element.record);
    lifetime(out, fields);
    properties(out, attributes, fields, element);
    for (const std::string_view end : engine::exported_end_ids(graph_, element.record))
      text(out, "<grenml:node>", end, "</grenml:node>");
    out.append("</grenml:Link>");
  }

  void node(TextBuffer& out, const ExportedElement& element) {
    const Attributes& attributes = graph_.attributes(element.record);
    const AttributeFields fields = attributes.fields();
    start_tag(out, "<grenml:Node id=", fields);
    out.append(">");
    names(out, fields);
    owners(out, element.record);
    lifetime(out, fields);
    location(out, fields);
    properties(out, attributes, fields, element);
    out.append("</grenml:Node>");
  }

  struct RankedProperty {
    std::size_t rank;  // of its name, by first appearance
    Property property;
  };

  const Graph& graph_;
  std::optional<bool> has_duplicates_;  // once it was asked
  RecordId topology_;
  const engine::TopologyContents* contents_ = nullptr;
  std::string owner_line_;  // that most elements have: the topology's owner
  InstantText instants_;
  // Of one element, kept for their memory.
  std::vector<std::string_view> owners_;
  std::vector<RankedProperty> properties_;
  boost::unordered_flat_map<std::string_view, std::size_t> ranks_;
};

NetmlPieceWriter::NetmlPieceWriter(const Graph& graph)
    : elements_(std::make_unique<Elements>(graph)) {}
NetmlPieceWriter::NetmlPieceWriter(NetmlPieceWriter&&) noexcept = default;
NetmlPieceWriter& NetmlPieceWriter::operator=(NetmlPieceWriter&&) noexcept = default;
NetmlPieceWriter::~NetmlPieceWriter() = default;

void NetmlPieceWriter::begin(const NetmlPiece& piece) {
  auto contents = std::make_shared<const engine::TopologyContents>(
      engine::topology_contents(elements_->graph(), piece.topology, elements_->has_duplicates()));
  const std::size_t count = element_count(*contents);
  begin(piece, std::move(contents), {0, count});
}

void NetmlPieceWriter::begin(const NetmlPiece& piece, Contents contents, Share share) {
  piece_ = piece;
  contents_ = std::move(contents);
  share_ = share;
  head_written_ = share.first > 0;
  elements_->begin(piece.topology, *contents_);
}

bool NetmlPieceWriter::write(TextBuffer& out, std::size_t bytes_max) {
  if (!head_written_) {
    if (piece_.root) out.append("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
    elements_->head(out, piece_.root);
    head_written_ = true;
  }
  while (share_.first < share_.last && out.size() < bytes_max)
    elements_->element(out, share_.first++);
  if (share_.first < share_.last) return false;
  if (share_.last == element_count(*contents_))
    for (std::uint32_t i = 0; i < piece_.ends; ++i) out.append("</grenml:Topology>");
  contents_.reset();
  return true;
}

NetmlWriter::NetmlWriter(const Graph& graph, engine::ExportTree tree)
    : tree_(std::move(tree)), writer_(graph) {}

std::optional<NetmlWriter::Piece> NetmlWriter::next() {
  if (next_ == tree_.steps.size()) return std::nullopt;
  const auto [topology, depth] = tree_.steps[next_++];
  // What ends here: this topology and those around it, down to the parent of the next one.
  const std::uint32_t open_after = next_ == tree_.steps.size() ? 0 : tree_.steps[next_].depth;
  return Piece{topology, depth == 0, depth + 1 - std::min(depth + 1, open_after)};
}

bool NetmlWriter::write_part(const Piece& piece, TextBuffer& out, std::size_t bytes_max) {
  if (!under_way_) writer_.begin(piece);
  under_way_ = !writer_.write(out, bytes_max);
  return !under_way_;
}

bool NetmlWriter::write_part(const Piece& piece, std::string& out, std::size_t bytes_max) {
  TextBuffer part;
  const bool whole = write_part(piece, part, bytes_max - std::min(bytes_max, out.size()));
  out += part.view();
  return whole;
}

}  // namespace netml::codecs
