// One map of ESnet's panel, `nodes` and `edges` as JSON, into a draft.
//
// An edge says what it joins by its name, its course, or its `endpoint_identifiers`; each is taken
// only where it fits exactly one pair of nodes.
//
// Thread: its owner; it is used once.
#pragma once

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codecs/document/id_key.hpp"
#include "codecs/formats/draft/json_fields.hpp"
#include "codecs/formats/draft/map_draft.hpp"
#include "codecs/formats/draft/name_list.hpp"
#include "codecs/formats/esnet/esnet_fields.hpp"
#include "codecs/formats/esnet/esnet_place.hpp"

namespace netml::codecs {

// Rules of properties that are called exactly so, whatever the table has for such a name.
class ExactProperties {
 public:
  const FoundRule& find(std::string_view owner, std::string_view name);

 private:
  std::unordered_map<std::string, FoundRule> rules_;
};

// What all maps of a file are read into, and what was found on the way.
struct EsnetDraft {
  MapDraft draft;
  FieldRules rules{kEsnetFields};
  JsonFields fields{draft, rules};
  ExactProperties exact;
  NameList at_zero;    // nodes at 0,0
  NameList in_pixels;  // nodes whose position is not in degrees
  NameList elsewhere;  // edges that are drawn to other nodes than they name
};

// Whether a value is a map at all.
bool is_esnet_map(JsonValue value);

class EsnetMap {
 public:
  // `into` and the tree of `map` outlive the draft's values. `layer` distinguishes the nodes of
  // several maps; `topology` lists those that name no other. Both may be empty.
  EsnetMap(EsnetDraft& into, JsonValue map, std::string_view layer, std::string_view topology)
      : into_(into), map_(map), layer_(layer), topology_(topology) {}

  // Into the innermost open element, which is a topology.
  void read();

 private:
  using Index = std::uint32_t;
  static constexpr Index kNone = 0xffffffff;     // no node
  static constexpr Index kSeveral = 0xfffffffe;  // more than one
  using IndexOf = boost::unordered_flat_map<IdKey, Index, IdKeyHash>;

  struct Node {
    JsonValue value;
    std::string_view name = {};  // may be empty
    std::string_view identifier = {};
    std::string key = {};
    std::optional<EsnetPlace> place = {};  // not 0,0
  };
  struct PlaceHash {
    std::size_t operator()(const EsnetPlace& place) const;
  };
  // Of an edge; or why it has none.
  struct Ends {
    std::array<Index, 2> nodes{kNone, kNone};
    std::string_view lost_because = {};
  };

  void gather_nodes();
  void name_nodes();
  void read_map_meta(JsonValue meta);
  void read_others(Kind kind, std::string_view owner, std::string_view list, JsonValue values);
  void read_node(const Node& node);
  void read_place(const Node& node, std::string_view name, JsonValue value);
  void read_edge(JsonValue edge);
  void read_course(const Ends& ends, std::string_view name, JsonValue value);
  void read_edge_meta(const Ends& ends, JsonValue meta);
  // The members of a `meta`.
  void read_meta(std::string_view owner, JsonValue meta);
  void read_meta(std::string_view owner, std::string_view name, JsonValue value);
  bool is_list_of_ours(JsonValue value) const;
  void read_exactly(std::string_view owner, std::string_view name, JsonValue value);
  void list_in_topology(JsonValue meta);

  Ends find_ends(JsonValue edge) const;
  std::optional<Ends> ends_listed(JsonValue list, const IndexOf& nodes) const;
  std::optional<Ends> ends_in_name(std::string_view name) const;
  Ends ends_of_course(JsonValue edge) const;
  bool says_ends(const Ends& ends, std::string_view list_name, JsonValue list) const;
  void compare_course(const Ends& ends, JsonValue edge);
  Index node_at(const EsnetPlace& place) const;

  EsnetDraft& into_;
  const JsonValue map_;
  const std::string_view layer_;
  const std::string_view topology_;
  std::vector<Node> nodes_;
  IndexOf node_of_name_;
  IndexOf node_of_identifier_;
  boost::unordered_flat_map<EsnetPlace, Index, PlaceHash> node_of_place_;
};

}  // namespace netml::codecs
