// Puts an NML document into a draft: topologies, institutions, nodes and links with their fields,
// and what ports say as half links.
//
// Thread: its owner; what it is given outlives it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codecs/formats/draft/map_draft.hpp"
#include "codecs/formats/nml/nml_fields.hpp"
#include "codecs/formats/nml/nml_halves.hpp"

namespace netml::codecs {

class NmlDraft {
 public:
  explicit NmlDraft(const NmlNetwork& network) : network_(network), halves_(network) {}

  ReadResult make(const DraftOptions& options, ErrorList errors) &&;

 private:
  static constexpr std::uint32_t kNone = NmlElement::kNone;
  // A half link as far as it is known, with the fields of the file that are in it.
  struct Half {
    engine::HalfLink link;
    std::uint32_t fields = 0;
  };
  using HalvesByPort = std::unordered_map<std::string, engine::HalfLink>;

  void order_topologies();
  void name_places();
  void add_topologies();
  void add_agents();
  void add_institutions();
  void add_nodes();
  void add_node(std::uint32_t object);
  void add_service_node(std::uint32_t topology);
  void add_links();
  void add_link(const NmlLink& link);
  void add_end(const NmlLink& link, std::size_t end, const HalvesByPort& known);
  void lose_the_rest();

  // Of the innermost open element. Half links that it has as properties are put into `known`.
  void set_fields(std::uint32_t object, std::string_view owner, HalvesByPort* known = nullptr);
  void set_field(const NmlField& field, std::string_view owner);
  // One that the file says elsewhere.
  void add_value(std::string_view owner, std::string_view name, std::string_view value);
  void set_topologies(std::string_view owner, const std::vector<std::uint32_t>& topologies);
  void set_half(const Half& half, const HalvesByPort& known);
  void lose_fields(std::uint32_t object, std::string_view owner, std::string_view reason);

  Half half_of(const NmlHalf& half);
  void add_port(Half& half, std::uint32_t object, std::string_view prefix, bool same_labels);
  bool have_same_labels(const std::vector<std::uint32_t>& parts) const;
  void add_member(Half& half, const NmlField& field, std::string_view name);
  std::string port_name(const NmlHalf& half) const;
  std::string_view name_of(std::uint32_t object) const;
  TextPosition position_of(std::uint32_t object) const;

  const NmlNetwork& network_;
  NmlHalves halves_;
  MapDraft draft_;
  FieldRules rules_{kNmlFields};
  std::vector<std::uint32_t> topologies_;  // in the order of the map, the root first
  std::vector<std::uint32_t> parents_;     // of each object that is a topology
  std::vector<std::string> keys_;          // of each object that is a node or has ports
  std::unordered_map<std::string, std::size_t> repeated_;
  std::vector<std::vector<std::uint32_t>> halves_at_;  // by object: halves that no link joins
  std::vector<bool> handled_;                          // objects whose fields are carried or lost
};

}  // namespace netml::codecs
