// Sound maps made from a seed, in a country of their own, for errors to be planted in.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/graph/graph_changes.hpp"
#include "engine/quality/countries.hpp"

namespace netml::engine::test {

inline constexpr Instant kNow{1'800'000'000};
inline constexpr std::int64_t kDay = 86'400;

// Two countries: between 60 and 70 degrees north and 5 and 20 east, and right east of that.
inline Countries two_countries() {
  const auto box = [](float west, float east) {
    return std::vector<std::array<float, 2>>{{west, 60}, {east, 60}, {east, 70}, {west, 70}};
  };
  std::vector<CountryOutline> both;
  both.push_back({"NO", {"Norway", "Noreg", "NOR"}, {box(5, 20)}});
  both.push_back({"SE", {"Sweden"}, {box(20, 35)}});
  return Countries(std::move(both));
}

inline Coordinates degrees(double latitude, double longitude) {
  return {{std::llround(latitude * 1e6)}, {std::llround(longitude * 1e6)}};
}

// A record before it is one; texts are its own.
struct Draft {
  Kind kind = Kind::node;
  std::string id = {};
  std::string name = {};
  std::string unlocode = {};
  std::optional<Instant> version = {};
  std::optional<Instant> start = {};
  std::optional<Instant> end = {};
  std::optional<Coordinates> coordinates = {};
  std::optional<Micro> altitude = {};
  std::vector<std::pair<std::string, std::string>> properties = {};
  std::vector<std::size_t> topologies = {};  // places in the source
  std::vector<std::size_t> owners = {};
  std::vector<std::size_t> ends = {};
};

inline Record record_of(const Draft& draft) {
  std::vector<Property> properties;
  for (const auto& [name, value] : draft.properties) properties.push_back({name, value});
  AttributeFields fields;
  fields.kind = draft.kind;
  fields.id = draft.id;
  fields.name = draft.name;
  fields.version = draft.version;
  fields.start = draft.start;
  fields.end = draft.end;
  fields.coordinates = draft.coordinates;
  fields.altitude = draft.altitude;
  fields.unlocode = draft.unlocode;
  fields.properties = properties;
  const auto ids = [](const std::vector<std::size_t>& places) {
    std::vector<RecordId> all;
    for (const std::size_t place : places)
      all.push_back(RecordId{static_cast<std::uint32_t>(place + 1)});
    return all;
  };
  const auto topologies = ids(draft.topologies);
  const auto owners = ids(draft.owners);
  const auto ends = ids(draft.ends);
  return {Attributes::make(fields),
          Relations::make({.topologies = topologies, .owners = owners, .ends = ends})};
}

struct Source {
  std::vector<Draft> records;
  std::vector<std::size_t> nodes, links;
  std::size_t topology = 0, owner = 0;

  Draft& node(std::size_t i) { return records[nodes[i % nodes.size()]]; }
  Draft& link(std::size_t i) { return records[links[i % links.size()]]; }

  // RecordIds are places + 1.
  Graph build() const {
    GraphChanges changes{Graph{}};
    for (std::size_t i = 0; i < records.size(); ++i) {
      const RecordId id{static_cast<std::uint32_t>(i + 1)};
      changes.put(id, record_of(records[i]));
      changes.set_number(id, RecordNumber{id.value});
    }
    const auto next = static_cast<std::uint32_t>(records.size() + 1);
    changes.set_next(RecordId{next}, RecordNumber{next});
    return std::move(changes).finish();
  }
};

inline std::size_t add(Source& source, Draft draft) {
  source.records.push_back(std::move(draft));
  return source.records.size() - 1;
}

inline std::size_t add_link(Source& source, std::size_t a, std::size_t b) {
  const std::string name = source.records[a].name + " - " + source.records[b].name;
  source.links.push_back(add(
      source,
      {.kind = Kind::link,
       .id = "urn:link:" + std::to_string(source.links.size()),
       .name = name,
       .properties = {{"throughput", "10 Gbit/s"}, {"medium", "dark fibre"}, {"length", "1900 km"}},
       .topologies = {source.topology},
       .owners = {source.owner},
       .ends = {a, b}}));
  return source.links.back();
}

// A network of 8 to 30 nodes in the first country, in a ring with a few links across.
inline Source sound_source(std::mt19937& random) {
  const auto some = [&](double low, double high) {
    return std::uniform_real_distribution(low, high)(random);
  };
  Source source;
  source.topology = add(source, {.kind = Kind::topology,
                                 .id = "urn:topology",
                                 .name = "Example network",
                                 .version = Instant{kNow.seconds - 30 * kDay}});
  source.owner =
      add(source, {.kind = Kind::institution,
                   .id = "urn:owner",
                   .name = "Example operator",
                   .coordinates = degrees(62.5, 10.25),
                   .properties = {{"url", "https://example.org/net"}, {"email", "noc@example.org"}},
                   .topologies = {source.topology}});
  source.records[source.topology].owners = {source.owner};
  const auto count = std::uniform_int_distribution<std::size_t>(8, 30)(random);
  for (std::size_t i = 0; i < count; ++i)
    source.nodes.push_back(
        add(source, {.kind = Kind::node,
                     .id = "urn:node:" + std::to_string(i),
                     .name = "Place " + std::to_string(i),
                     .unlocode = "NOX" + std::string(1, static_cast<char>('A' + i % 26)) + "A",
                     .coordinates = degrees(some(60.5, 69.5), some(5.5, 19.5)),
                     .altitude = Micro{120'000'000},
                     .properties = {{"country", i % 2 == 0 ? "Norway" : "no"}, {"role", "router"}},
                     .topologies = {source.topology},
                     .owners = {source.owner}}));
  for (std::size_t i = 0; i < count; ++i)
    add_link(source, source.nodes[i], source.nodes[(i + 1) % count]);
  for (std::size_t i = 0; i + 5 < count; i += 4)
    add_link(source, source.nodes[i], source.nodes[i + 5]);
  return source;
}

}  // namespace netml::engine::test
