// Which of the nodes that have no coordinates, or 0/0, are named after a city. Whole names are
// compared and nothing is ranked: a name that several cities have is no place
// (docs/formats/places.md).
//
// Memory: the texts of these nodes, and one city for each of them and country, however many cities
// are offered. Failure: none but of memory. Thread: its owner's.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/graph/graph.hpp"

namespace netml::engine {

struct City {
  std::string name;
  std::string country;  // two capital letters, as ISO 3166-1 has them
  std::string region;   // of the country, a code; may be empty
  Coordinates place;
};

struct Country {
  std::string code;
  std::string name;
};

// "Bergen, NO"
std::string city_text(const City& city);

// Two letters in capitals; empty when `text` is none of a country.
std::string country_code(std::string_view text);

// What of a node is compared, in this order: what names a city before what may.
enum class PlaceText : std::uint8_t { city, locality, name, location, address };
const char* place_text_name(PlaceText text);  // "city"; `name` and `address` are fields

// How many cities of a name are in a country.
struct CitiesOfCountry {
  std::string country;
  std::uint64_t count = 0;
};

struct FoundPlace {
  RecordId node;
  PlaceText by = PlaceText::name;
  City city;
};
struct AmbiguousPlace {
  RecordId node;
  PlaceText by = PlaceText::name;
  std::vector<CitiesOfCountry> cities;  // by country; of the node's alone, where it is known
};
struct UnknownPlace {
  RecordId node;
  std::string country;                     // where it was looked for; empty: everywhere
  std::string unreadable_country;          // what the node says instead: nothing was looked for
  std::vector<CitiesOfCountry> elsewhere;  // of the first text that is the name of a city there
};

struct FoundPlaces {
  static constexpr std::size_t kListedMax = 1'000;

  std::uint64_t nodes = 0;  // without coordinates: the sum of the three lists
  std::vector<FoundPlace> found;
  std::vector<AmbiguousPlace> several;  // the first kListedMax
  std::uint64_t several_count = 0;      // of all
  std::vector<UnknownPlace> none;       // the first kListedMax
  std::uint64_t none_count = 0;         // of all
};

class PlaceFinder {
 public:
  // Of the nodes of these topologies, by identifier, each once. `country`: code or name of that of
  // nodes that do not say theirs; empty: any. The graph must outlive the finder.
  PlaceFinder(const Graph& graph, std::span<const RecordId> topologies, std::string country);

  std::size_t nodes() const { return nodes_.size(); }
  // Each name of a country, and each city of the gazetteer, once, in any order. A node says its
  // country by such a name or by code.
  void offer(const Country& country);
  void offer(const City& city);
  // Once all were offered: whether one of them is, or is in, the country that the finder was given.
  bool knows_country() const;
  // Once all were offered.
  FoundPlaces finish() const;

 private:
  struct CountryCities {
    City first;
    std::uint64_t count = 0;
  };
  using Cities = std::map<std::string, CountryCities>;  // by country

  // Where a node says that it is.
  struct NodeCountry {
    std::string code;        // empty: it does not say
    std::string unreadable;  // what it says instead, which no country is called
  };

  void add_node(RecordId node);
  NodeCountry country_of(const Attributes& node) const;
  const std::string& country_of_others() const;
  void judge(RecordId node, FoundPlaces& places) const;

  const Graph& graph_;
  const std::string country_;
  bool country_is_code_ = false;  // of a country, or of a city's, that was offered
  std::vector<RecordId> nodes_;
  boost::unordered_flat_map<std::string, Cities> wanted_;              // by city_key()
  boost::unordered_flat_map<std::string, std::string> country_names_;  // folded, to their codes
};

}  // namespace netml::engine
