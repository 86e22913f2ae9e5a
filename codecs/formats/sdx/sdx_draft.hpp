// Puts an AtlanticWave-SDX topology into a draft.
//
// Thread: its owner; what it is given outlives it.
#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>

#include "codecs/document/json_tree.hpp"
#include "codecs/formats/draft/json_fields.hpp"
#include "codecs/formats/sdx/sdx_fields.hpp"
#include "codecs/formats/sdx/sdx_halves.hpp"

namespace netml::codecs {

class SdxDraft {
 public:
  explicit SdxDraft(const JsonTree& tree)
      : tree_(tree), root_(tree.root()), halves_(list("nodes"), list("links")) {}

  ReadResult make(const DraftOptions& options, ErrorList errors) &&;

 private:
  // Properties that an element has in `netml`: what stands beside them repeats them.
  struct Known {
    boost::unordered_flat_set<std::string> values;           // "name\x1fvalue"
    std::unordered_map<std::string, std::string> long_ones;  // all pieces of a name
    std::unordered_map<std::string, engine::HalfLink> halves;
  };

  // The first one of that name; none where it is private.
  JsonValue list(std::string_view name) const;
  void add_topology();
  void add_nodes();
  void add_half_links(std::uint32_t node);
  void add_links();
  void add_others();

  void set_object(std::string_view owner, JsonValue object,
                  std::initializer_list<std::string_view> except);
  void set_member(std::string_view owner, const std::string& path, JsonValue value);
  void set_leaf(std::string_view owner, const std::string& path, JsonValue leaf);
  void set_together(std::string_view owner, const std::string& path, JsonValue value);
  void set_extension(std::string_view owner, JsonValue extension);
  void set_properties(std::string_view owner, JsonValue properties);
  void set_long(const FoundRule& rule, std::string_view text, std::uint64_t fields);
  void lose(std::string_view owner, std::string_view path, JsonValue value,
            std::string_view reason);
  const FoundRule& rule_of(std::string_view owner, std::string_view path);
  bool has_row(std::string_view owner, std::string_view path) {
    return rules_.find(owner, path).own_row;
  }

  const JsonTree& tree_;
  JsonValue root_;
  SdxHalves halves_;
  MapDraft draft_;
  FieldRules rules_{kSdxFields};
  JsonFields fields_{draft_, rules_};
  Known known_;  // of the element that is open
  bool at_root_ = true;
};

}  // namespace netml::codecs
