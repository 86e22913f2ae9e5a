// Makes the Document of a draft that is complete: gives identifiers, finds owners and ends, and
// puts into each topology all that its elements refer to.
//
// Thread: its owner; it is used once.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/document/document_builder.hpp"
#include "codecs/document/error_list.hpp"
#include "codecs/document/id_key.hpp"
#include "codecs/document/record_builder.hpp"
#include "codecs/formats/draft/map_draft.hpp"

namespace netml::codecs {

class DraftDocument {
 public:
  // What it is given outlives it.
  DraftDocument(MapDraft& draft, const DraftOptions& options, ErrorList& errors)
      : draft_(draft), options_(options), errors_(errors), builder_(errors) {}

  ReadResult make();

 private:
  using Index = std::uint32_t;
  static constexpr Index kNone = 0xffffffff;
  static constexpr std::size_t kEnds = 2;
  using IndexOf = boost::unordered_flat_map<IdKey, Index, IdKeyHash>;

  // An element and where it belongs.
  struct Placed {
    const DraftElement* element = nullptr;  // null: an owner that is only named
    std::string id;
    std::string name = {};               // of an owner that is only named
    std::vector<Index> owners = {};      // institutions
    std::vector<Index> topologies = {};  // that list it; none: the root
    Index copied_to = kNone;             // the last topology that got a copy
  };
  struct Topology {
    const DraftElement* element = nullptr;
    std::string id;
    Index owner = kNone;
    std::vector<Index> children;
    std::vector<Index> institutions;  // those that belong to it, then copies
    std::vector<Index> nodes;
    std::vector<Index> links;
  };

  std::string label_of(const DraftElement& element) const;
  void name_network();
  void place_topologies();
  void place_institutions();
  void place_nodes();
  void place_links();
  std::string find_ends(const DraftElement& link);
  Index owner_named(std::string_view name);
  void find_places(Placed& placed);
  void list_members();
  void list_copies(Index topology);
  void check_id(Kind kind, const Placed& placed);
  std::string contents_of(const DraftElement& element) const;
  std::string name_of_link(std::size_t link) const;

  void write_topology(Index topology);
  void write_element(Kind kind, const Placed& placed, Index topology, std::string_view name);
  void write_values(const DraftElement& element);
  void write_value(const DraftValue& value);
  bool belongs(const Placed& placed, Index topology) const;
  std::string topologies_text(const Placed& placed) const;

  MapDraft& draft_;
  const DraftOptions& options_;
  ErrorList& errors_;
  DocumentBuilder builder_;
  RecordBuilder record_{builder_.notes()};
  std::string network_;  // its name
  std::string base_;     // of identifiers in the network
  std::vector<Topology> topologies_;
  IndexOf topology_of_id_;
  std::vector<Placed> institutions_;
  IndexOf institution_of_name_;  // or identifier
  std::vector<Placed> nodes_;
  IndexOf node_of_key_;
  std::vector<Placed> links_;
  std::vector<Index> ends_;  // two of each link
};

}  // namespace netml::codecs
