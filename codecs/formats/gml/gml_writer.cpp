#include "codecs/formats/gml/gml_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <iterator>
#include <string_view>
#include <utility>

#include "codecs/document/id_key.hpp"
#include "codecs/formats/draft/field_names.hpp"
#include "codecs/formats/draft/map_fields.hpp"
#include "codecs/formats/draft/map_outline.hpp"
#include "codecs/formats/gml/gml_fields.hpp"
#include "codecs/formats/gml/gml_texts.hpp"

namespace netml::codecs {

namespace {

using engine::Graph;

constexpr FieldNames kNames{kGmlFields, {"node.", "topology."}};

// What networkx takes for something else than a value of an element, whatever element it is.
constexpr std::array<std::string_view, 9> kTaken{"directed",   "edge",       "key",
                                                 "multigraph", "node",       "node_for_adding",
                                                 "self",       "u_for_edge", "v_for_edge"};

// Makes the labels of nodes distinct: programs call nodes by them.
class Labels {
 public:
  explicit Labels(const Graph& graph, const MapOutline& outline) : graph_(graph) {
    for (const OutlinedElement& node : outline.nodes) ++nodes_of_[IdKey(name_of(node))];
  }

  std::string_view name_of(const OutlinedElement& node) const {
    return graph_.attributes(node.record).name();
  }
  // Whether the name can be the label. networkx takes [] for an empty list; what begins as a made
  // label would be read as one.
  bool is_distinct(const OutlinedElement& node) const {
    const std::string_view name = name_of(node);
    return !name.empty() && name != "[]" && name != "()" && nodes_of_.at(IdKey(name)) == 1 &&
           !name.starts_with(made_gml_label({}, graph_.attributes(node.record).id()));
  }
  std::string made_for(const OutlinedElement& node) {
    const std::string base = made_gml_label(name_of(node), graph_.attributes(node.record).id());
    std::string label = base;
    for (int i = 2; nodes_of_.contains(IdKey(label)) || !made_.insert(label).second; ++i)
      label = fmt::format("{} {}", base, i);
    return label;
  }

 private:
  const Graph& graph_;
  boost::unordered_flat_map<IdKey, std::uint32_t, IdKeyHash> nodes_of_;  // how many, by name
  boost::unordered_flat_set<std::string> made_;
};

class Writer {
 public:
  Writer(const Graph& graph, const MapOutline& outline, engine::LossList& losses)
      : graph_(graph), outline_(outline), losses_(losses), labels_(graph, outline) {}

  std::string write() {
    out_ += "graph [\n  directed 0\n  multigraph 1\n";
    indent_ = "  ";
    owner_ = "graph.";
    for_each_field(graph_, outline_, outline_.topologies.front(), instants_, put_value());
    indent_ = "    ";
    for (std::size_t i = 0; i < outline_.nodes.size(); ++i) node(i);
    for (const OutlinedLink& each : outline_.links) link(each);
    out_ += "]\n";
    indent_ = "  ";
    owner_ = "institution.";
    for (const OutlinedElement& institution : outline_.institutions) {
      out_ += "institution [\n";
      for_each_field(graph_, outline_, institution, instants_, put_value());
      out_ += "]\n";
    }
    owner_ = "topology.";
    for (std::size_t i = 1; i < outline_.topologies.size(); ++i) {
      out_ += "topology [\n";
      for_each_field(graph_, outline_, outline_.topologies[i], instants_, put_value());
      out_ += "]\n";
    }
    return std::move(out_);
  }

 private:
  void string(std::string_view key, std::string_view value) {
    ((out_ += indent_) += key) += " \"";
    append_gml(out_, value);
    out_ += "\"\n";
    losses_.carry();
  }

  void number(std::string_view key, std::string_view value) {
    (((out_ += indent_) += key) += ' ') += value;
    out_ += '\n';
    losses_.carry();
  }

  void property(std::string_view name, std::string_view value) {
    if (can_be_key(name)) return string(name, value);
    (out_ += indent_) += "property [\n";
    out_ += indent_;
    out_ += "  name \"";
    append_gml(out_, name);
    (out_ += "\"\n") += indent_;
    out_ += "  value \"";
    append_gml(out_, value);
    (out_ += "\"\n") += indent_;
    out_ += "]\n";
    losses_.carry();
  }

  // Whether the table and networkx have nothing else for it.
  bool can_be_key(std::string_view name) {
    const auto [known, added] = keys_[owner_].try_emplace(IdKey(name), false);
    if (!added) return known->second;
    const std::string field = fmt::format("{}{}", owner_, name);
    const bool in_table = std::ranges::any_of(kGmlFields, [&](const FieldRule& rule) {
      return rule.field == field && rule.target != Target::property;
    });
    known->second =
        is_gml_key(name) && !in_table && std::ranges::find(kTaken, name) == kTaken.end();
    return known->second;
  }

  struct PutValue {
    Writer& writer;
    void operator()(Target target, std::string_view name, std::string_view value) const {
      if (target == Target::property)
        writer.property(name, value);
      else if (is_number(target))
        writer.number(kNames[target], value);
      else
        writer.string(kNames[target], value);
    }
  };
  PutValue put_value() { return {*this}; }

  void node(std::size_t i) {
    const OutlinedElement& node = outline_.nodes[i];
    const std::string_view name = labels_.name_of(node);
    fmt::format_to(std::back_inserter(out_), "  node [\n    id {}\n", i);
    owner_ = "node.";
    for_each_field(graph_, outline_, node, instants_,
                   [&](Target target, std::string_view property, std::string_view value) {
                     if (target != Target::name) put_value()(target, property, value);
                     if (target == Target::identifier) label(node, name);
                   });
    out_ += "  ]\n";
  }

  // Behind the identifier, by which a made label is known when it is read.
  void label(const OutlinedElement& node, std::string_view name) {
    if (labels_.is_distinct(node)) return string(kNames[Target::name], name);
    if (!name.empty()) string("name", name);
    ((out_ += indent_) += kNames[Target::name]) += " \"";
    append_gml(out_, labels_.made_for(node));
    out_ += "\"\n";
  }

  void link(const OutlinedLink& link) {
    fmt::format_to(std::back_inserter(out_), "  edge [\n    source {}\n    target {}\n",
                   link.ends[0], link.ends[1]);
    losses_.carry(2);
    owner_ = "edge.";
    for_each_field(graph_, outline_, link, instants_, put_value());
    out_ += "  ]\n";
  }

  const Graph& graph_;
  const MapOutline& outline_;
  engine::LossList& losses_;
  Labels labels_;
  std::string out_;
  InstantText instants_;
  std::string_view indent_;
  std::string_view owner_;  // of the rows for what is written: "node."
  using CanBeKey = boost::unordered_flat_map<IdKey, bool, IdKeyHash>;
  boost::unordered_flat_map<std::string_view, CanBeKey> keys_;  // what was found out, by owner
};

}  // namespace

Result<WrittenMap> write_gml(const Graph& graph, RecordId topology) {
  return written_by<Writer>(graph, topology);
}

}  // namespace netml::codecs
