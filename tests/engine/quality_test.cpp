// What is wrong with a map: sound maps that are made from a seed, into each of which one kind of
// error is planted, which must be found, and nothing else with it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "engine/half_links/half_link.hpp"
#include "engine/quality/inspect.hpp"
#include "engine/quality/quality_monitor.hpp"
#include "tests/engine/quality_source.hpp"

namespace netml::engine {
namespace {

using test::degrees;
using test::Draft;
using test::kDay;
using test::kNow;
using test::sound_source;
using test::Source;
using test::two_countries;

// The records that the error is about are places in the source.
struct Planted {
  const char* name;
  Check check;
  std::function<std::size_t(Source&, std::size_t seed)> plant;
};

void set_property(Draft& draft, std::string_view name, std::string value) {
  for (auto& [each, old] : draft.properties)
    if (each == name) {
      old = std::move(value);
      return;
    }
  draft.properties.emplace_back(name, std::move(value));
}

// What is planted into one node, link, or the owner.
Planted in_node(const char* name, Check check, std::function<void(Draft&)> change) {
  return {name, check, [change](Source& source, std::size_t seed) {
            change(source.node(seed));
            return source.nodes[seed % source.nodes.size()];
          }};
}
Planted in_link(const char* name, Check check, std::function<void(Draft&)> change) {
  return {name, check, [change](Source& source, std::size_t seed) {
            change(source.link(seed));
            return source.links[seed % source.links.size()];
          }};
}
Planted in_owner(const char* name, Check check, std::function<void(Draft&)> change) {
  return {name, check, [change](Source& source, std::size_t) {
            change(source.records[source.owner]);
            return source.owner;
          }};
}
Planted in_topology(const char* name, Check check, std::function<void(Draft&)> change) {
  return {name, check, [change](Source& source, std::size_t) {
            change(source.records[source.topology]);
            return source.topology;
          }};
}

void say_no_country(Draft& node) {
  node.unlocode.clear();
  std::erase_if(node.properties, [](const auto& property) { return property.first == "country"; });
}

std::vector<Planted> planted_places() {
  return {
      in_node("no place", Check::place_missing, [](Draft& node) { node.coordinates.reset(); }),
      in_node("0/0", Check::place_zero, [](Draft& node) { node.coordinates = degrees(0, 0); }),
      in_owner("0/0 of an institution", Check::place_zero,
               [](Draft& owner) { owner.coordinates = degrees(0, 0); }),
      in_node("whole degrees", Check::place_coarse,
              [](Draft& node) { node.coordinates = degrees(63, 11); }),
      in_node("higher than any mountain", Check::altitude_impossible,
              [](Draft& node) { node.altitude = Micro{91'000'000'000}; }),
      in_node("UN/LOCODE in small letters", Check::unlocode_malformed,
              [](Draft& node) { node.unlocode = "noosl"; }),
      in_node("UN/LOCODE too short", Check::unlocode_malformed,
              [](Draft& node) { node.unlocode = "OSL"; }),
      in_node("UN/LOCODE of another country", Check::country_disputed,
              [](Draft& node) { node.unlocode = "SESTO"; }),
  };
}

std::vector<Planted> planted_misreadings() {
  return {
      in_node(
          "exchanged, with a country", Check::place_swapped,
          [](Draft& node) { std::swap(node.coordinates->latitude, node.coordinates->longitude); }),
      in_node("exchanged, without a country", Check::place_swapped,
              [](Draft& node) {
                say_no_country(node);
                std::swap(node.coordinates->latitude, node.coordinates->longitude);
              }),
      in_node("west for east", Check::place_mirrored,
              [](Draft& node) { node.coordinates->longitude.value *= -1; }),
      in_node("south for north, without a country", Check::place_mirrored,
              [](Draft& node) {
                say_no_country(node);
                node.coordinates->latitude.value *= -1;
              }),
      in_node("in the neighbouring country", Check::place_elsewhere,
              [](Draft& node) { node.coordinates = degrees(65.1, 29.3); }),
      in_node("in another ocean", Check::place_elsewhere,
              [](Draft& node) { node.coordinates = degrees(-31.4, -121.7); }),
      in_node("far from all", Check::place_far,
              [](Draft& node) {
                say_no_country(node);
                node.coordinates = degrees(-41.3, 121.7);
              }),
  };
}

std::vector<Planted> planted_texts() {
  return {
      {"one identifier twice", Check::identifier_repeated,
       [](Source& source, std::size_t seed) {
         source.node(seed).id = source.node(seed + 1).id;
         return source.nodes[seed % source.nodes.size()];
       }},
      in_node("a blank in an identifier", Check::identifier_odd,
              [](Draft& node) { node.id += " 1"; }),
      in_link("a space of no width in an identifier", Check::identifier_odd,
              [](Draft& link) { link.id += "\u200b"; }),
      in_node("no name", Check::name_missing, [](Draft& node) { node.name.clear(); }),
      in_link("named by its identifier", Check::name_missing,
              [](Draft& link) { link.name = link.id; }),
      in_node("TBD", Check::name_placeholder, [](Draft& node) { node.name = "TBD"; }),
      in_owner("unknown", Check::name_placeholder, [](Draft& owner) { owner.name = "Unknown"; }),
      in_node("UTF-8 read as Latin-1", Check::name_garbled,
              [](Draft& node) { node.name = "Troms\u00c3\u00b8"; }),
      in_node("U+FFFD", Check::name_garbled, [](Draft& node) { node.name = "Troms\ufffd"; }),
      in_node("an entity", Check::name_garbled,
              [](Draft& node) { node.name = "Troms&oslash; south"; }),
      in_owner("a question mark for a letter", Check::name_garbled,
               [](Draft& owner) { owner.name = "Universit?t"; }),
      {"one name twice, in other letters", Check::name_repeated,
       [](Source& source, std::size_t seed) {
         source.node(seed).name = "PLACE 3";
         source.node(seed + 1).name = "place 3 ";
         return source.nodes[(seed + 1) % source.nodes.size()];
       }},
      {"two institutions of one name", Check::name_repeated,
       [](Source& source, std::size_t seed) {
         Draft other = source.records[source.owner];
         other.id += ":other";
         const std::size_t place = add(source, std::move(other));
         source.node(seed).owners.push_back(place);
         return place;
       }},
  };
}

std::vector<Planted> planted_associations() {
  return {
      in_node("a node nobody owns", Check::owner_missing, [](Draft& node) { node.owners.clear(); }),
      in_link("a link nobody owns", Check::owner_missing, [](Draft& link) { link.owners.clear(); }),
      in_topology("a topology nobody owns", Check::owner_missing,
                  [](Draft& topology) { topology.owners.clear(); }),
      {"an institution without anything", Check::institution_dead,
       [](Source& source, std::size_t) {
         return add(source, {.kind = Kind::institution,
                             .id = "urn:closed",
                             .name = "Closed",
                             .topologies = {source.topology}});
       }},
      {"an empty topology", Check::topology_empty,
       [](Source& source, std::size_t) {
         return add(source, {.kind = Kind::topology,
                             .id = "urn:empty",
                             .name = "Outpost",
                             .owners = {source.owner}});
       }},
      in_topology("four years old", Check::topology_old,
                  [](Draft& topology) { topology.version = Instant{kNow.seconds - 1460 * kDay}; }),
      {"a node without links", Check::node_isolated,
       [](Source& source, std::size_t) {
         Draft node = source.node(0);
         node.id = "urn:alone";
         node.name = "Alone";
         return add(source, std::move(node));
       }},
      {"half of a link", Check::link_one_sided,
       [](Source& source, std::size_t seed) {
         HalfLink one("urn:port:1");
         one.add(half_link::kPeer, "urn:port:2");
         one.sort();
         HalfLink other("urn:port:2");
         other.add(half_link::kPeer, "urn:port:3");
         other.sort();
         for (const std::string& text : one.texts())
           source.node(seed).properties.emplace_back(kHalfLinkProperty, text);
         for (const std::string& text : other.texts())
           source.node(seed + 1).properties.emplace_back(kHalfLinkProperty, text);
         return source.nodes[seed % source.nodes.size()];
       }},
  };
}

std::vector<Planted> planted_links() {
  return {
      in_link("a loop", Check::link_loop, [](Draft& link) { link.ends[1] = link.ends[0]; }),
      {"both ends at one place", Check::link_one_place,
       [](Source& source, std::size_t seed) {
         const Draft& link = source.link(seed);
         source.records[link.ends[1]].coordinates = source.records[link.ends[0]].coordinates;
         return source.links[seed % source.links.size()];
       }},
      {"1,000 km of copper", Check::link_too_long,
       [](Source& source, std::size_t seed) {
         Draft& link = source.link(seed);
         source.records[link.ends[0]].coordinates = degrees(60.6, 6.1);
         source.records[link.ends[1]].coordinates = degrees(69.4, 19.1);
         set_property(link, "medium", "Copper pair");
         return source.links[seed % source.links.size()];
       }},
      {"shorter than its ends are apart", Check::link_length_short,
       [](Source& source, std::size_t seed) {
         Draft& link = source.link(seed);
         source.records[link.ends[0]].coordinates = degrees(60.6, 6.1);
         source.records[link.ends[1]].coordinates = degrees(69.4, 19.1);
         set_property(link, "length", "300 km");
         return source.links[seed % source.links.size()];
       }},
      {"a link twice", Check::link_repeated,
       [](Source& source, std::size_t seed) {
         source.link(seed).properties.emplace_back("circuit_id", "EX-104");
         Draft link = source.link(seed);
         link.id += ":again";
         std::swap(link.ends[0], link.ends[1]);
         source.links.push_back(add(source, std::move(link)));
         return source.links.back();
       }},
      in_link("no bits per second", Check::link_capacity_odd,
              [](Draft& link) { set_property(link, "throughput", "0"); }),
      in_link("a capacity in words", Check::link_capacity_odd,
              [](Draft& link) { set_property(link, "throughput", "as contracted"); }),
      {"it outlives its node", Check::link_outlives_node,
       [](Source& source, std::size_t seed) {
         Draft& link = source.link(seed);
         source.records[link.ends[0]].end = Instant{kNow.seconds + 10 * kDay};
         link.end = Instant{kNow.seconds + 20 * kDay};
         return source.links[seed % source.links.size()];
       }},
      in_link("it ends before it begins", Check::lifetime_reversed,
              [](Draft& link) {
                link.start = Instant{kNow.seconds + 9 * kDay};
                link.end = Instant{kNow.seconds + 8 * kDay};
              }),
      in_link("it has ended", Check::lifetime_over,
              [](Draft& link) { link.end = Instant{kNow.seconds - kDay}; }),
      in_node("a version of next year", Check::version_ahead,
              [](Draft& node) { node.version = Instant{kNow.seconds + 365 * kDay}; }),
  };
}

std::vector<Planted> planted_properties() {
  return {
      in_node("no value", Check::property_empty,
              [](Draft& node) { set_property(node, "role", ""); }),
      in_link("n/a", Check::property_placeholder,
              [](Draft& link) { set_property(link, "contract", "N/A"); }),
      in_node("a garbled value", Check::property_garbled,
              [](Draft& node) { set_property(node, "role", "caf\u00c3\u00a9"); }),
      in_node("a property twice", Check::property_repeated,
              [](Draft& node) { node.properties.emplace_back("role", "router"); }),
      in_owner("an address without a dot", Check::contact_malformed,
               [](Draft& owner) { set_property(owner, "url", "http://localhost/"); }),
      in_owner("mail to nobody", Check::contact_malformed,
               [](Draft& owner) { set_property(owner, "email", "noc(at)example.org"); }),
  };
}

std::vector<Planted> all_planted() {
  std::vector<Planted> all;
  for (const auto& theme : {planted_places(), planted_misreadings(), planted_texts(),
                            planted_associations(), planted_links(), planted_properties()})
    all.insert(all.end(), theme.begin(), theme.end());
  return all;
}

using Found = std::set<std::pair<Check, std::uint32_t>>;
Found inspect_source(const Source& source) {
  static const Countries countries = two_countries();
  const Graph graph = source.build();
  Found found;
  inspect({graph, countries, kNow}, [&](const Finding& finding) {
    EXPECT_TRUE(found.emplace(finding.check, finding.record.value).second)
        << text_of(graph, finding) << " is reported twice";
    const Kind kind = graph.kind(finding.record);
    EXPECT_NE(description(finding.check).kinds & set_of(kind), 0)
        << description(finding.check).name << " looks at no " << kind_name(kind);
    EXPECT_THAT(text_of(graph, finding), testing::StartsWith(description(finding.check).text));
  });
  return found;
}

std::string names_of(const Found& found) {
  std::string text;
  for (const auto& [check, record] : found)
    text += std::string(" ") + description(check).name + "(" + std::to_string(record) + ")";
  return text;
}

TEST(Quality, FindsNothingInSoundMaps) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    EXPECT_EQ(names_of(inspect_source(sound_source(random))), "") << "seed " << seed;
  }
}

// Each kind in 20 maps and more.
TEST(Quality, FindsEachPlantedError_P) {
  const std::vector<Planted> kinds = all_planted();
  ASSERT_GE(kinds.size(), 40U);
  for (unsigned seed = 0; seed < 1'060; ++seed) {
    std::mt19937 random(seed);
    const Planted& planted = kinds[seed % kinds.size()];
    Source source = sound_source(random);
    const std::size_t place = planted.plant(source, random());
    const Found found = inspect_source(source);
    EXPECT_TRUE(found.contains({planted.check, static_cast<std::uint32_t>(place + 1)}))
        << planted.name << ", seed " << seed << ": record " << place + 1 << " is not among"
        << names_of(found);
    for (const auto& [check, record] : found)
      EXPECT_EQ(description(check).name, std::string_view(description(planted.check).name))
          << planted.name << ", seed " << seed << ": record " << record;
  }
}

TEST(Quality, HasAPlantedErrorForEachCheck) {
  std::set<Check> planted;
  for (const Planted& each : all_planted()) planted.insert(each.check);
  for (const CheckDescription& each : kChecks)
    EXPECT_TRUE(planted.contains(each.check)) << each.name;
  EXPECT_EQ(check_named("place-far"), Check::place_far);
  EXPECT_EQ(check_named("place"), std::nullopt);
}

TEST(Quality, ProposesThePlaceThatWasMeant) {
  static const Countries countries = two_countries();
  std::mt19937 random(7);
  Source source = sound_source(random);
  const Coordinates meant = *source.node(3).coordinates;
  source.node(3).coordinates = {meant.longitude, meant.latitude};
  const Graph graph = source.build();
  std::optional<Coordinates> proposed;
  inspect({graph, countries, kNow}, [&](const Finding& finding) {
    if (finding.check == Check::place_swapped) proposed = finding.place;
  });
  EXPECT_EQ(proposed, meant);
}

TEST(QualityScore, LosesThePointsOfAFindingInProportion) {
  Tally tally;
  EXPECT_EQ(tally.score(), 100);
  tally.records = {1, 1, 100, 99};
  EXPECT_EQ(tally.looked_at(Check::place_missing), 100U);
  EXPECT_EQ(tally.looked_at(Check::name_missing), 201U);
  tally.findings[static_cast<std::size_t>(Check::place_missing)] = 5;  // of 20 points
  EXPECT_DOUBLE_EQ(tally.score(), 90);
  tally.findings[static_cast<std::size_t>(Check::place_missing)] = 10;
  EXPECT_DOUBLE_EQ(tally.score(), 80);
  tally.findings[static_cast<std::size_t>(Check::place_missing)] = 100;
  EXPECT_DOUBLE_EQ(tally.score(), 80);
  for (std::uint64_t& findings : tally.findings) findings = 100;
  EXPECT_EQ(tally.score(), 0);
}

TEST(QualityScore, CountsForEachTopologyAndAllBelowIt) {
  std::mt19937 random(3);
  Source source = sound_source(random);
  source.node(0).coordinates.reset();
  const std::size_t below = add(source, {.kind = Kind::topology,
                                         .id = "urn:below",
                                         .name = "Below",
                                         .topologies = {source.topology},
                                         .owners = {source.owner}});
  source.node(0).topologies.push_back(below);
  source.node(1).topologies = {below};
  const Graph graph = source.build();
  const Tallies tallies = tally({graph, two_countries(), kNow});
  const auto nodes = static_cast<std::size_t>(Kind::node);
  const auto missing = static_cast<std::size_t>(Check::place_missing);
  ASSERT_EQ(tallies.topologies.size(), 2U);
  EXPECT_EQ(tallies.whole.records[nodes], source.nodes.size());
  EXPECT_EQ(tallies.whole.findings[missing], 1U);
  EXPECT_EQ(tallies.of(RecordId{1}).records[nodes], source.nodes.size() - 1);
  EXPECT_EQ(tallies.of(RecordId{1}).findings[missing], 1U);
  const RecordId inner{static_cast<std::uint32_t>(below + 1)};
  EXPECT_EQ(tallies.of(inner).records[nodes], 2U);
  EXPECT_EQ(tallies.of(inner).findings[missing], 1U);
  EXPECT_EQ(tallies.below(graph, RecordId{1}).records[nodes], source.nodes.size() + 1);
}

}  // namespace
}  // namespace netml::engine
