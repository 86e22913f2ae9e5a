// What the map says of an element under names that come once each: for writers of formats whose
// elements have attributes with one value.
//
// The first value of a name is carried; all others are lost, and so are elements that such a format
// has no place for. Losses name the element. Thread: its owner.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/document/xml_text.hpp"
#include "codecs/formats/draft/field_rules.hpp"
#include "codecs/formats/draft/map_outline.hpp"
#include "engine/graph/graph.hpp"
#include "engine/graph/loss_list.hpp"

namespace netml::codecs {

struct FlatField {
  Target target = Target::property;
  std::string name;  // of the first row of the target; of a property its own
  std::string value;
};

class FlatFields {
 public:
  // All outlive this. A property whose name the table has, too, is called "property.NAME"; all are
  // so where the table has a row "property.*".
  FlatFields(const engine::Graph& graph, const MapOutline& outline,
             std::span<const FieldRule> table, engine::LossList& losses)
      : graph_(graph), outline_(outline), table_(table), losses_(losses) {}

  // Of an institution, node or link; of the topology that is written. Until the next call.
  std::span<const FlatField> of(const OutlinedElement& element);
  std::span<const FlatField> of_root();
  // Institutions, and topologies below the one that is written, with all that the map says of them.
  void lose_others(std::string_view reason);
  // All that is said of the topology that is written, but its name.
  void lose_root(std::string_view reason);

 private:
  void lose(RecordId record, std::string_view name, std::string_view reason);
  std::string name_of(Target target, std::string_view property) const;
  auto collect();
  std::span<const FlatField> carry(RecordId record);

  const engine::Graph& graph_;
  const MapOutline& outline_;
  std::span<const FieldRule> table_;
  engine::LossList& losses_;
  InstantText instants_;
  std::vector<FlatField> fields_;
};

// The value of a target; empty where it is not there.
std::string_view value_of(std::span<const FlatField> fields, Target target);

}  // namespace netml::codecs
