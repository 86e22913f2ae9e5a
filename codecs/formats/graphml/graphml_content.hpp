// What the elements of a GraphML file mean: XML events in, a MapDraft out.
//
// Each attribute and each text that stands in the file is set in the draft or listed as lost, by
// the table of graphml_fields.hpp; docs/formats/README.md says what counts.
//
// Thread: its owner.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codecs/document/error_list.hpp"
#include "codecs/document/read_limits.hpp"
#include "codecs/document/xml_stream.hpp"
#include "codecs/formats/draft/map_draft.hpp"
#include "codecs/formats/graphml/graphml_fields.hpp"

namespace netml::codecs {

class GraphmlContent final : public XmlEvents {
 public:
  explicit GraphmlContent(const ReadLimits& limits)
      : limits_(limits), errors_(limits.errors), stream_(limits, *this) {}

  void feed(std::span<const std::byte> bytes) { stream_.feed(bytes); }
  bool stopped() const { return stream_.stopped(); }
  ReadResult finish(const DraftOptions& options);

  void start_element(const XmlName& name, std::span<const XmlAttribute> attributes) override;
  void end_element() override;
  void text(std::string_view piece) override;
  void fault(std::string_view code, std::string_view message) override;

 private:
  enum class What : std::uint8_t {
    graphml,
    key,
    key_default,
    graph,
    node,
    edge,
    data,
    desc,
    extension,  // an element in a value
    lost,       // with all that is in it
  };
  // A declared key: what its values are called.
  struct Key {
    std::string_view name;
    std::string_view domain;  // "node", "edge", "graph" or "all"
    std::string default_value;
    bool has_default = false;
    std::array<const FoundRule*, kKindCount + 1> rules = {};  // of each owner, once asked for
  };
  struct Frame {
    What what = What::lost;
    bool has_children = false;
    bool opened = false;   // an element of the draft, to be closed with this
    bool is_root = false;  // of a graph: the network's own
    TextPosition at = {};
    std::size_t text_begin = 0;
    Key* key = nullptr;
    std::string_view name = {};          // of an element that GraphML does not know
    std::string_view lost_because = {};  // of What::lost
  };

  // Prefixes of fields, as the table spells them.
  struct OwnerTexts {
    std::string_view attribute;  // "node@"
    std::string_view value;      // "node."
    std::string_view extension;  // "node/"
  };
  static const OwnerTexts kOwners[];

  // The element that is open in the draft, into kOwners.
  std::size_t owner_number() const;
  // Of a value of the key.
  const FoundRule& rule_of(Key& key);

  Frame child_of(const Frame& parent, const XmlName& name,
                 std::span<const XmlAttribute> attributes);
  Frame child_of_graph(const XmlName& name, std::span<const XmlAttribute> attributes);
  void begin_graphml(const XmlName& name);
  void begin(Frame& frame, const XmlName& name, std::span<const XmlAttribute> attributes);
  void begin_graph(Frame& frame, std::span<const XmlAttribute> attributes);
  void begin_element(Frame& frame, Kind kind, std::span<const XmlAttribute> attributes);
  void begin_key(Frame& frame, std::span<const XmlAttribute> attributes);
  void begin_data(Frame& frame, std::span<const XmlAttribute> attributes);
  void set_attributes(const Frame& frame, std::string_view owner,
                      std::span<const XmlAttribute> attributes);
  void lose_attributes(const Frame& frame, std::span<const XmlAttribute> attributes);
  void end_text(const Frame& frame, std::string_view text);
  void set_defaults();
  // What the table calls the element that is open in the draft.
  const OwnerTexts& owner() const { return kOwners[owner_number()]; }

  const ReadLimits limits_;
  ErrorList errors_;
  XmlStream stream_;
  MapDraft draft_;
  FieldRules rules_{kGraphmlFields};
  std::unordered_map<std::string, Key> keys_;  // by their ids
  std::vector<Key*> defaults_;                 // those that have one
  std::vector<Frame> open_;
  std::string text_;          // of all open elements, one after the other
  std::uint32_t graphs_ = 0;  // on the top level so far
  std::string field_;         // its memory is used again
  Kind nodes_are_ = Kind::node;
};

}  // namespace netml::codecs
