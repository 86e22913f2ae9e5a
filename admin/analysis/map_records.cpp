#include "admin/analysis/map_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "admin/answers/json_text.hpp"
#include "admin/answers/record_text.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using engine::Attributes;
using engine::Graph;

namespace {

json::array tags_json(const Attributes& attributes) {
  json::array tags;
  for_each_tag(attributes, [&](std::string_view tag) { tags.emplace_back(tag); });
  return tags;
}

json::array numbers_of_owned_nodes(const Graph& graph, RecordId institution) {
  json::array numbers;
  graph.for_each_referrer(institution, [&](RecordId owned) {
    if (graph.kind(owned) == Kind::node) numbers.emplace_back(graph.number(owned).value);
  });
  return numbers;
}

class Features : public net::BodySource {
 public:
  Features(engine::StatePtr state, Kind kind, RecordId topology)
      : state_(std::move(state)), kind_(kind), topology_(topology) {}

  Result<std::string_view> next() override {
    constexpr std::size_t kPieceBytes = 64 << 10;
    const Graph& graph = state_->graph;
    text_.clear();
    if (next_ == RecordId{}) {
      text_ += R"({"type":"FeatureCollection","features":[)";
      next_ = RecordId{1};
    }
    for (; text_.size() < kPieceBytes && next_ < graph.next_id(); ++next_.value)
      if (graph.contains(next_) && graph.kind(next_) == kind_ && is_wanted(next_)) append(next_);
    if (next_ >= graph.next_id() && !done_) {
      text_ += "]}";
      done_ = true;
    }
    return std::string_view(text_);
  }

 private:
  bool is_wanted(RecordId id) const {
    const auto topologies = state_->graph.relations(id).topologies();
    return !topology_ || std::ranges::binary_search(topologies, topology_);
  }
  // Longitude first, as GeoJSON has it.
  static void append_position(std::string& out, const engine::Coordinates& at) {
    out += '[';
    append_decimal(out, at.longitude);
    out += ',';
    append_decimal(out, at.latitude);
    out += ']';
  }
  bool append_geometry(std::string& out, RecordId id) const {
    const Graph& graph = state_->graph;
    if (kind_ != Kind::link) {
      const auto at = graph.attributes(id).coordinates();
      if (!at) return false;
      out += R"({"type":"Point","coordinates":)";
      append_position(out, *at);
    } else {
      const auto ends = graph.relations(id).ends();
      const auto a = graph.attributes(ends[0]).coordinates();
      const auto b = graph.attributes(ends[1]).coordinates();
      if (!a || !b) return false;
      out += R"({"type":"LineString","coordinates":[)";
      append_position(out, *a);
      out += ',';
      append_position(out, *b);
      out += ']';
    }
    out += '}';
    return true;
  }
  void append(RecordId id) {
    const Graph& graph = state_->graph;
    const Attributes& attributes = graph.attributes(id);
    std::string geometry;
    if (!append_geometry(geometry, id)) return;
    text_ += first_ ? "" : ",";
    first_ = false;
    text_ += R"({"type":"Feature","id":)";
    append_number(text_, graph.number(id).value);
    text_ += R"(,"geometry":)" + geometry + R"(,"properties":)";
    text_ += json::serialize(json::object{{"id", attributes.id()},
                                          {"name", attributes.name()},
                                          {"short_name", attributes.short_name()},
                                          {"tags", tags_json(attributes)}});
    text_ += '}';
  }

  const engine::StatePtr state_;
  const Kind kind_;
  const RecordId topology_;
  RecordId next_;  // none: nothing was made yet
  bool first_ = true;
  bool done_ = false;
  std::string text_;
};

}  // namespace

json::object reference_json(const Graph& graph, RecordId id) {
  const Attributes& attributes = graph.attributes(id);
  return {{"number", graph.number(id).value}, {"id", attributes.id()}, {"name", attributes.name()}};
}

json::array references_json(const Graph& graph, std::span<const RecordId> ids) {
  json::array array;
  for (const RecordId id : ids) array.push_back(reference_json(graph, id));
  return array;
}

Result<RecordId> record_of(const Graph& graph, Kind kind, std::uint64_t number) {
  const RecordId id = number == 0 ? RecordId{} : graph.find_by_number(RecordNumber{number});
  if (id && graph.kind(id) == kind) return id;
  return fail(Errc::not_found, fmt::format("there is no {} {}", kind_name(kind), number));
}

std::vector<RecordId> connected_owners(const Graph& graph, RecordId node) {
  std::vector<RecordId> owners;
  graph.for_each_referrer(node, [&](RecordId link) {
    for (const RecordId end : graph.relations(link).ends())
      for (const RecordId owner : graph.relations(end).owners()) owners.push_back(owner);
  });
  std::ranges::sort(owners);
  const auto repeated = std::ranges::unique(owners);
  owners.erase(repeated.begin(), repeated.end());
  return owners;
}

json::object drawer_json(const Graph& graph, RecordId id) {
  const Attributes& attributes = graph.attributes(id);
  const engine::Relations& relations = graph.relations(id);
  json::object object = reference_json(graph, id);
  object["short_name"] = attributes.short_name();
  object["description"] = first_property(attributes, "description");
  object["tags"] = tags_json(attributes);
  json::array properties;
  for_each_shown_property(attributes, [&](const engine::Property& property) {
    properties.push_back(json::object{{"name", property.name}, {"value", property.value}});
  });
  object["properties"] = std::move(properties);
  switch (attributes.kind()) {
    case Kind::institution:
      object["url"] = first_property(attributes, "url");
      object["nodes"] = numbers_of_owned_nodes(graph, id);
      break;
    case Kind::node:
      object["owners"] = references_json(graph, relations.owners());
      object["connected_owners"] = references_json(graph, connected_owners(graph, id));
      break;
    case Kind::link:
      object["owners"] = references_json(graph, relations.owners());
      object["ends"] = references_json(graph, relations.ends());
      object["throughput"] = first_property(attributes, "throughput");
      break;
    case Kind::topology:
      break;
  }
  return object;
}

std::unique_ptr<net::BodySource> geojson_stream(engine::StatePtr state, Kind kind,
                                                RecordId topology) {
  return std::make_unique<Features>(std::move(state), kind, topology);
}

}  // namespace netml::admin::web
