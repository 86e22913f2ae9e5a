// The own text of one topology after another, from its head to its last element, an element at a
// time: all that it lists, or some of that.
//
// Thread: one at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "codecs/document/text_buffer.hpp"
#include "codecs/netml/delta/exported_text.hpp"
#include "codecs/netml/netml_writer.hpp"
#include "engine/export/element_changes.hpp"
#include "engine/export/export_order.hpp"
#include "engine/graph/graph.hpp"

namespace netml::codecs {

class OwnElements {
 public:
  // `graph` outlives it.
  explicit OwnElements(const engine::Graph& graph) : graph_(graph), writer_(graph) {}

  // The head, valid until the next call; what is listed follows.
  std::string_view begin(RecordId topology, bool is_root);
  // The same of those alone that were `listed` when the graph was as it is.
  std::string_view begin(RecordId topology, bool is_root,
                         std::span<const engine::ElementChange> some,
                         bool engine::ElementChange::* listed);
  // Its text is valid until the next call. Nothing behind the last.
  std::optional<ElementText> next();

 private:
  std::string_view begin(RecordId topology, bool is_root, engine::TopologyContents contents);
  std::string_view part();
  ElementKey next_key() const;

  const engine::Graph& graph_;
  NetmlPieceWriter writer_;
  NetmlPieceWriter::Contents contents_;
  std::size_t next_ = 0;
  std::size_t count_ = 0;
  TextBuffer part_;
};

// As elements of that kind are called in an export.
ElementKey element_key(const engine::Graph& graph, RecordId element);

}  // namespace netml::codecs
