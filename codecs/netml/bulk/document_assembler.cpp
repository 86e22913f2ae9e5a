#include "codecs/netml/bulk/document_assembler.hpp"

#include <utility>

namespace netml::codecs {

namespace {

// Levels of elements below a topology that are no topologies: a node, its place, a coordinate.
constexpr std::uint32_t kLevelsInTopology = 3;

}  // namespace

DocumentAssembler::DocumentAssembler(const ReadLimits& limits)
    : limits_(limits), errors_(limits.errors), document_(errors_) {}

bool DocumentAssembler::add(DocumentRecording& recording, std::uint64_t elements) {
  elements_ += elements;
  if (elements_ > limits_.elements) return false;
  auto note = recording.notes().begin();
  const auto move_notes = [&](auto end) {
    for (; note != end; ++note) document_.notes().add(std::move(*note));
  };
  for (RecordedEvent& event : recording.events()) {
    move_notes(recording.notes().begin() + event.notes_end);
    if (!replay(event, recording.text(event))) return false;
  }
  move_notes(recording.notes().end());
  document_.notes().add_left_out(recording.notes());
  return errors_.empty() && !document_.lacked_position();
}

bool DocumentAssembler::replay(RecordedEvent& event, std::string_view text) {
  using What = RecordedEvent::What;
  switch (event.what) {
    case What::open_topology:
      return open_topology();
    case What::primary_owner:
      document_.set_primary_owner(text, {});
      return true;
    case What::close_header:
      document_.close_header(std::move(event.attributes), {});
      return true;
    case What::close_body:
      if (document_.body_open()) document_.close_body();
      return true;
    case What::close_topology:
      return close_topology();
    case What::element:
      if (!advance(stage_of(event.attributes->kind()))) return false;
      document_.add(std::move(event.attributes), {});
      return true;
    case What::owner:
      if (!document_.body_open()) return false;
      document_.add_owner(text, {});
      return true;
    case What::end:
      if (!document_.body_open()) return false;
      document_.add_end(text, {});
      return true;
  }
  return false;
}

DocumentAssembler::Stage DocumentAssembler::stage_of(Kind kind) {
  if (kind == Kind::institution) return Stage::institutions;
  return kind == Kind::link ? Stage::links : Stage::nodes;
}

bool DocumentAssembler::open_topology() {
  if (open_.empty() ? std::exchange(root_seen_, true) : !advance(Stage::topologies)) return false;
  open_.push_back(Stage::header);
  if (open_.size() + kLevelsInTopology > limits_.depth) return false;
  document_.open_topology();
  return true;
}

bool DocumentAssembler::close_topology() {
  if (open_.empty()) return false;
  open_.pop_back();
  document_.close_topology();
  return true;
}

bool DocumentAssembler::advance(Stage stage) {
  if (open_.empty() || stage < open_.back()) return false;
  open_.back() = stage;
  return stage == Stage::topologies || document_.body_open();
}

std::optional<engine::Document> DocumentAssembler::take() && {
  if (!root_seen_ || !open_.empty()) return std::nullopt;
  return std::move(document_).take();
}

}  // namespace netml::codecs
