// Keeps the events of a part of a file until those of all parts before it are known, so that
// parts can be read at the same time.
//
// Ownership: its texts and records. Thread: its owner; it may pass from one thread to another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codecs/document/document_events.hpp"

namespace netml::codecs {

struct RecordedEvent {
  enum class What : std::uint8_t {
    open_topology,
    primary_owner,
    close_header,
    close_body,
    close_topology,
    element,
    owner,
    end,
  };
  What what;
  std::uint32_t notes_end;   // the notes before this belong before the event
  std::uint32_t text_begin;  // an identifier, for references
  std::uint32_t text_end;
  engine::AttributesPtr attributes;
};

class DocumentRecording final : public DocumentEvents {
 public:
  using What = RecordedEvent::What;

  // ---- to be replayed ----
  std::vector<RecordedEvent>& events() { return events_; }
  std::string_view text(const RecordedEvent& event) const {
    return std::string_view(texts_).substr(event.text_begin, event.text_end - event.text_begin);
  }
  void clear() {
    events_.clear();
    texts_.clear();
    notes_.clear();
  }

  // ---- events; a recording has no places ----
  engine::DocumentNotes& notes() override { return notes_; }
  void open_topology() override { record(What::open_topology); }
  void set_primary_owner(std::string_view id, TextPosition) override {
    record(What::primary_owner, id);
  }
  void close_header(engine::AttributesPtr attributes, TextPosition) override {
    record(What::close_header, {}, std::move(attributes));
  }
  // It may be open since an earlier part: whoever replays the recording knows.
  bool body_open() const override { return true; }
  void close_body() override { record(What::close_body); }
  void close_topology() override { record(What::close_topology); }
  std::string_view topology_id() const override { return {}; }
  void add(engine::AttributesPtr attributes, TextPosition) override {
    record(What::element, {}, std::move(attributes));
  }
  void add_owner(std::string_view id, TextPosition) override { record(What::owner, id); }
  void add_end(std::string_view id, TextPosition) override { record(What::end, id); }

 private:
  void record(What what, std::string_view text = {}, engine::AttributesPtr attributes = {}) {
    const auto begin = static_cast<std::uint32_t>(texts_.size());
    texts_.append(text);
    events_.push_back({what, static_cast<std::uint32_t>(notes_.size()), begin,
                       static_cast<std::uint32_t>(texts_.size()), std::move(attributes)});
  }

  std::vector<RecordedEvent> events_;
  std::string texts_;
  engine::DocumentNotes notes_;
};

}  // namespace netml::codecs
