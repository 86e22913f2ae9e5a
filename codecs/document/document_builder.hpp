// Puts records together to a Document: resolves references, checks that identifiers are unique and
// adds what is implicit, the global institution and the primary owner
// (docs/requirements/exchange-format.md, sections 3 to 5).
//
// Calls come in the order of the file. A topology has a header (what it says of itself), a body
// (its institutions, links and nodes) and then sub-topologies; once one of these begins, header
// and body before it are closed and cannot be added to. So at most one body is open at a time.
//
// Thread: its owner.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/document/document_events.hpp"
#include "codecs/document/id_key.hpp"

namespace netml::codecs {

// A node by identifier, listed already or only referred to so far.
struct NodeSlot {
  std::string_view id;
  engine::DocumentIndex node = engine::kNoIndex;
};
using NodeSlotIndex = std::uint32_t;

// A link waits for the nodes it names: the format lists links first.
struct LinkEnd {
  NodeSlotIndex slot = 0;
  TextPosition position;
};
struct PendingLink {
  engine::DocumentElement element;
  LinkEnd ends[2];
  std::uint32_t end_count = 0;
  TextPosition position;
};

// An owner that was not listed before it was named.
struct PendingOwner {
  std::string id;
  TextPosition position;
  Kind kind = Kind::topology;
  std::string named_by;
};

// What the topology being read lists, as long as more may come.
struct TopologyBody {
  std::pmr::monotonic_buffer_resource texts;  // identifiers of nodes not listed yet
  boost::unordered_flat_map<IdKey, engine::DocumentIndex, IdKeyHash> institutions;
  boost::unordered_flat_map<IdKey, NodeSlotIndex, IdKeyHash> slot_of_id;
  std::vector<NodeSlot> slots;
  boost::unordered_flat_set<IdKey, IdKeyHash> link_ids;
  std::vector<PendingLink> links;
  std::vector<PendingOwner> pending_owners;
  engine::DocumentIndex primary_owner = engine::kNoIndex;
};

class DocumentBuilder final : public DocumentEvents {
 public:
  explicit DocumentBuilder(ErrorList& errors);

  engine::DocumentNotes& notes() override { return document_.notes; }

  // ---- topologies ----
  void open_topology() override;
  void set_primary_owner(std::string_view id, TextPosition at) override;
  void close_header(engine::AttributesPtr attributes, TextPosition at) override;
  bool body_open() const override { return body_.has_value(); }
  void close_body() override;
  void close_topology() override;
  std::string_view topology_id() const override;

  // ---- the members of the open body ----
  void add(engine::AttributesPtr attributes, TextPosition at) override;
  void add_owner(std::string_view id, TextPosition at) override;
  void add_end(std::string_view id, TextPosition at) override;

  // After `done` of `all` bytes of the file, which may be wrong: makes room for as much as there
  // will be if the rest is like what was read, so that nothing moves to fresh memory on the way.
  void make_room(std::uint64_t done, std::uint64_t all);

  // A note names a line of the file, but the call came without one.
  bool lacked_position() const { return lacked_position_; }

  engine::Document take() &&;

 private:
  engine::DocumentTopology& topology() { return document_.topologies[open_.back()]; }
  engine::DocumentIndex next_element() const;
  NodeSlotIndex slot_of(std::string_view id, bool id_stays);
  void add_institution(engine::AttributesPtr attributes, TextPosition at);
  void add_node(engine::AttributesPtr attributes, TextPosition at);
  void add_link(engine::AttributesPtr attributes, TextPosition at);
  engine::DocumentElement make_element(engine::AttributesPtr attributes);
  bool resolve_primary_owner();
  void report_unknown_owners();
  void resolve_ends(PendingLink& link);
  void report_duplicate(const engine::Attributes& attributes, TextPosition at);

  ErrorList& errors_;
  engine::Document document_;
  engine::AttributesPtr global_institution_;
  boost::unordered_flat_set<IdKey, IdKeyHash> topology_ids_;
  std::vector<engine::DocumentIndex> open_;  // topologies, innermost last
  bool header_open_ = false;
  std::optional<PendingOwner> primary_owner_;  // of the innermost topology
  std::optional<TopologyBody> body_;
  bool lacked_position_ = false;

  // Of the next node or link.
  std::vector<engine::DocumentIndex> owners_;
  std::vector<PendingOwner> unknown_owners_;
  PendingLink next_link_;
};

}  // namespace netml::codecs
