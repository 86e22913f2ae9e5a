// Puts the slices of a file together to a Document, in their order. What a slice could not know
// is checked here: the order of a topology's children, the depth, the number of elements and all
// references.
//
// Failure: add gives false, and take nothing, for all that is not certain to be accepted by the
// strict path. Thread: its owner.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codecs/document/document_builder.hpp"
#include "codecs/document/document_recording.hpp"
#include "codecs/document/error_list.hpp"
#include "codecs/document/read_limits.hpp"

namespace netml::codecs {

class DocumentAssembler {
 public:
  explicit DocumentAssembler(const ReadLimits& limits);

  // `elements`: how many of the file the recording stands for.
  bool add(DocumentRecording& recording, std::uint64_t elements);
  // See DocumentBuilder.
  void make_room(std::uint64_t done, std::uint64_t all) { document_.make_room(done, all); }
  std::optional<engine::Document> take() &&;

 private:
  // What a topology has come to; its children may not go back.
  enum class Stage : std::uint8_t { header, institutions, links, nodes, topologies };

  static Stage stage_of(Kind kind);
  bool replay(RecordedEvent& event, std::string_view text);
  bool open_topology();
  bool close_topology();
  bool advance(Stage stage);

  const ReadLimits limits_;
  ErrorList errors_;
  DocumentBuilder document_;
  std::vector<Stage> open_;  // topologies, innermost last
  bool root_seen_ = false;
  std::uint64_t elements_ = 0;
};

}  // namespace netml::codecs
