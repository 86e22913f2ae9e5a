#include "engine/places/find_places.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/placeholder.hpp"
#include "engine/base/texts.hpp"
#include "engine/graph/properties.hpp"
#include "engine/graph/record_sets.hpp"
#include "engine/places/folded_name.hpp"

namespace netml::engine {

namespace {

constexpr std::array kTexts{PlaceText::city, PlaceText::locality, PlaceText::name,
                            PlaceText::location, PlaceText::address};

// The exchange format writes 0/0 for a place that is unknown, so that is what arrives from others.
bool has_no_place(const Attributes& node) {
  return node.coordinates().value_or(Coordinates{}) == Coordinates{};
}

std::string_view text_of(const Attributes& node, PlaceText text) {
  if (text == PlaceText::name) return node.name();
  if (text == PlaceText::address) return node.address();
  return first_property(node, place_text_name(text));
}

// What is looked up. Empty for a text that means nothing, even where a city is called so: None is.
std::string key_of(const Attributes& node, PlaceText text) {
  const std::string_view name = text_of(node, text);
  return is_placeholder(name) ? std::string() : city_key(name);
}

// All cities of a name, or those in a country.
template <class Cities>
std::vector<CitiesOfCountry> counts_of(const Cities& cities, const std::string& country) {
  std::vector<CitiesOfCountry> counts;
  for (const auto& [code, of_country] : cities)
    if (country.empty() || code == country) counts.push_back({code, of_country.count});
  return counts;
}

}  // namespace

std::string city_text(const City& city) {
  return city.name + ", " + city.country;
}

std::string country_code(std::string_view text) {
  std::string code = lower_ascii(trimmed(text));
  if (code.size() != 2) return {};
  for (char& letter : code) {
    if (letter < 'a' || letter > 'z') return {};
    letter = static_cast<char>(letter - 'a' + 'A');
  }
  return code;
}

const char* place_text_name(PlaceText text) {
  switch (text) {
    case PlaceText::city:
      return "city";
    case PlaceText::locality:
      return "locality";
    case PlaceText::name:
      return "name";
    case PlaceText::location:
      return "location";
    case PlaceText::address:
      return "address";
  }
  return "";
}

PlaceFinder::PlaceFinder(const Graph& graph, std::span<const RecordId> topologies,
                         std::string country)
    : graph_(graph), country_(std::move(country)) {
  for (const RecordId topology : topologies)
    for (const RecordId node : graph.members(topology, Kind::node))
      if (has_no_place(graph.attributes(node))) nodes_.push_back(node);
  sort_each_once(nodes_);
  std::ranges::sort(nodes_, {},
                    [&](RecordId node) { return std::pair(graph.attributes(node).id(), node); });
  for (const RecordId node : nodes_) add_node(node);
  if (!country_.empty()) country_names_.try_emplace(folded_name(country_));
}

void PlaceFinder::add_node(RecordId node) {
  const Attributes& attributes = graph_.attributes(node);
  for (const PlaceText text : kTexts)
    if (std::string key = key_of(attributes, text); !key.empty())
      wanted_.try_emplace(std::move(key));
  if (std::string name = folded_name(first_property(attributes, kCountryProperties)); !name.empty())
    country_names_.try_emplace(std::move(name));
}

void PlaceFinder::offer(const Country& country) {
  const auto wanted = country_names_.find(folded_name(country.name));
  if (wanted != country_names_.end()) wanted->second = country.code;
  country_is_code_ = country_is_code_ || country.code == country_;
}

void PlaceFinder::offer(const City& city) {
  country_is_code_ = country_is_code_ || city.country == country_;
  const auto wanted = wanted_.find(city_key(city.name));
  if (wanted == wanted_.end()) return;
  CountryCities& cities = wanted->second[city.country];
  if (cities.count++ == 0) cities.first = city;
}

// The name goes first, as where a node says it.
const std::string& PlaceFinder::country_of_others() const {
  const auto named = country_names_.find(folded_name(country_));
  return named == country_names_.end() || named->second.empty() ? country_ : named->second;
}

bool PlaceFinder::knows_country() const {
  return country_.empty() || country_is_code_ || country_of_others() != country_;
}

FoundPlaces PlaceFinder::finish() const {
  FoundPlaces places;
  places.nodes = nodes_.size();
  for (const RecordId node : nodes_) judge(node, places);
  return places;
}

// A country that it says in another way is not guessed at.
PlaceFinder::NodeCountry PlaceFinder::country_of(const Attributes& node) const {
  const std::string_view said = first_property(node, kCountryProperties);
  // A UN/LOCODE begins with its country.
  if (trimmed(said).empty() || is_placeholder(said))
    return {country_code(trimmed(node.unlocode()).substr(0, 2)), {}};
  // The name goes first: the country that is called UK has another code.
  const auto named = country_names_.find(folded_name(said));
  if (named != country_names_.end() && !named->second.empty()) return {named->second, {}};
  if (std::string code = country_code(said); !code.empty()) return {std::move(code), {}};
  return {{}, std::string(said)};
}

void PlaceFinder::judge(RecordId node, FoundPlaces& places) const {
  const Attributes& attributes = graph_.attributes(node);
  NodeCountry said = country_of(attributes);
  const std::string& country = said.code.empty() ? country_of_others() : said.code;
  UnknownPlace unknown{node, country, std::move(said.unreadable), {}};
  for (const PlaceText text : kTexts) {
    if (!unknown.unreadable_country.empty()) break;
    const auto named = wanted_.find(key_of(attributes, text));
    if (named == wanted_.end() || named->second.empty()) continue;
    const Cities& cities = named->second;
    std::vector<CitiesOfCountry> counts = counts_of(cities, country);
    if (counts.size() == 1 && counts.front().count == 1) {
      places.found.push_back({node, text, cities.at(counts.front().country).first});
      return;
    }
    if (!counts.empty()) {
      if (++places.several_count <= FoundPlaces::kListedMax)
        places.several.push_back({node, text, std::move(counts)});
      return;
    }
    if (unknown.elsewhere.empty()) unknown.elsewhere = counts_of(cities, {});
  }
  if (++places.none_count <= FoundPlaces::kListedMax) places.none.push_back(std::move(unknown));
}

}  // namespace netml::engine
