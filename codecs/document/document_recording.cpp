#include "codecs/document/document_recording.hpp"

#include <utility>

namespace netml::codecs {

void DocumentRecording::record(What what, std::string_view text) {
  const auto begin = static_cast<std::uint32_t>(texts_.size());
  texts_.append(text);
  events_.push_back({what,
                     static_cast<std::uint32_t>(notes_.size()),
                     begin,
                     static_cast<std::uint32_t>(texts_.size()),
                     {}});
}

void DocumentRecording::record(What what, engine::AttributesPtr attributes) {
  events_.push_back({what, static_cast<std::uint32_t>(notes_.size()), 0, 0, std::move(attributes)});
}

void DocumentRecording::clear() {
  events_.clear();
  texts_.clear();
  notes_.clear();
}

}  // namespace netml::codecs
